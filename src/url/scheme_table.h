/* The tables of schemes, from which scheme.h, scheme.c, interpret.h and scan/schemepart.c take what they need.
 * Sources of the facts: RFC 1738 and RFC 1630 for the old schemes, the RFC or the practice of each later one, and
 * the IANA registry of URI schemes (https://www.iana.org/assignments/uri-schemes/), permanent, provisional and
 * historical alike, for names and ports.  Schemes are sorted by bytes. */
#ifndef URL_SCHEME_TABLE_H
#define URL_SCHEME_TABLE_H

/* What must follow the colon in free text (rule B2), and the function of scan/schemepart.c that reads it where no `//`
 * follows. */
#define SCHEME_BODIES(X) \
	X(HOST, none)                       /* `//` and a host that could exist */ \
	X(HOST_OPTIONAL, none)              /* so, or `///` (RFC 4516): ldap */ \
	X(FILE, file)                       /* `//` and anything, or one `/` and a path */ \
	X(ANY, none)                        /* `//` and at least one URL character (B10) */ \
	X(ADDRESS, address)                 /* addr-spec, or `?to=`: mailto, im */ \
	X(NEWS, news)                       /* a group, a message-id, `*`; or `//` */ \
	X(ID, identifier_or_file)           /* an identifier: cid, mid */ \
	X(URN, urn)                         /* NID ":" NSS */ \
	X(PHONE, phone)                     /* a telephone number: tel, sms */ \
	X(ADDRESS_OR_HOST, address_or_host) /* user@host or a host: sip, xmpp, ssh */ \
	X(GEO, geo)                         /* numbers: geo */ \
	X(QUERY, query)                     /* `?` and at least one more character: magnet */ \
	X(TOKEN, token)                     /* five or more letters and digits, not all small letters: ipfs, bitcoin */ \
	X(PATH, path)                       /* a path with a `/`: matrix, doi */ \
	X(NEVER, none)                      /* a link only with `//` or inside delimiters */ \
	X(NAMESPACE, none)                  /* so, and a namespace before the first `/`: info */ \
	X(SLASHES, none)                    /* a link only with `//`: names of markup and of header fields (A1a) */ \
	X(SWALLOW, word)                    /* never a link, and what follows is not searched for links either (B10) */

/* Schemes that are checked and parsed each in its own way.  In a scheme without QUERY a `?` is data of the path (RFC
 * 1738: ftp, gopher, file, news).  `ms-` is a prefix and stands for every name that begins so.
 *   name, port, parts, slashes, body, linkable, forbidden, interpreter, purpose */
#define FULL_SCHEMES(X) \
	X("about", 0, PATH | QUERY | FRAG, 0, BODY_SWALLOW, 0, 1, interpret_opaque, \
	  "pages of the browser itself") \
	X("afs", 0, HOST | PATH | FRAG, 2, BODY_HOST, 0, 0, interpret_common, \
	  "files of the Andrew File System") \
	X("bitcoin", 0, PATH | QUERY, 0, BODY_TOKEN, 0, 0, interpret_payment, \
	  "payments in Bitcoin") \
	X("bitcoincash", 0, PATH | QUERY, 0, BODY_TOKEN, 0, 0, interpret_payment, \
	  "payments in Bitcoin Cash") \
	X("blob", 0, PATH | QUERY | FRAG, 0, BODY_SWALLOW, 0, 1, interpret_opaque, \
	  "data that a page keeps in memory") \
	X("cid", 0, PATH | FRAG, 0, BODY_ID, 0, 0, interpret_id, \
	  "a part of this mail message") \
	X("data", 0, PATH | QUERY | FRAG, 0, BODY_SWALLOW, 0, 1, interpret_data, \
	  "data in the URL itself") \
	X("dogecoin", 0, PATH | QUERY, 0, BODY_TOKEN, 0, 0, interpret_payment, \
	  "payments in Dogecoin") \
	X("doi", 0, PATH | QUERY | FRAG, 0, BODY_PATH, 0, 0, interpret_doi, \
	  "a document by its DOI name") \
	X("elisp", 0, PATH | QUERY | FRAG, 0, BODY_SWALLOW, 0, 1, interpret_opaque, \
	  "Emacs Lisp to run") \
	X("ethereum", 0, PATH | QUERY, 0, BODY_TOKEN, 0, 0, interpret_payment, \
	  "payments in Ethereum") \
	X("feed", 80, EVERY, 2, BODY_HOST, 0, 0, interpret_common, \
	  "a news feed") \
	X("file", 0, HOST | PATH | FRAG, 1, BODY_FILE, 0, 0, interpret_file, \
	  "files of one computer") \
	X("filesystem", 0, PATH | QUERY | FRAG, 0, BODY_SWALLOW, 0, 1, interpret_opaque, \
	  "files that a page keeps in the browser") \
	X("ftp", 21, HOST | USER | PATH | FRAG, 2, BODY_HOST, 1, 0, interpret_ftp, \
	  "files by the File Transfer Protocol") \
	X("ftps", 990, HOST | USER | PATH | FRAG, 2, BODY_HOST, 0, 0, interpret_ftp, \
	  "files by FTP over TLS") \
	X("gemini", 1965, HOST | PATH | QUERY | FRAG, 2, BODY_HOST, 0, 0, interpret_common, \
	  "pages of the Gemini protocol") \
	X("geo", 0, PATH | QUERY | FRAG, 0, BODY_GEO, 0, 0, interpret_geo, \
	  "a place on the Earth") \
	X("git", 9418, HOST | USER | PATH, 2, BODY_HOST, 0, 0, interpret_common, \
	  "a Git repository") \
	X("git+http", 80, EVERY, 2, BODY_HOST, 0, 0, interpret_common, \
	  "a Git repository over HTTP") \
	X("git+https", 443, EVERY, 2, BODY_HOST, 0, 0, interpret_common, \
	  "a Git repository over HTTPS") \
	X("git+ssh", 22, HOST | USER | PATH | FRAG, 2, BODY_HOST, 0, 0, interpret_common, \
	  "a Git repository over SSH") \
	X("gopher", 70, HOST | PATH | FRAG, 2, BODY_HOST, 1, 0, interpret_gopher, \
	  "menus and documents of the Gopher protocol") \
	X("http", 80, EVERY, 2, BODY_HOST, 1, 0, interpret_http, \
	  "web pages by the Hypertext Transfer Protocol") \
	X("https", 443, EVERY, 2, BODY_HOST, 1, 0, interpret_http, \
	  "web pages by HTTP over TLS") \
	X("im", 0, PATH | QUERY, 0, BODY_ADDRESS, 0, 0, interpret_mail, \
	  "instant messages to a user") \
	X("imap", 143, HOST | USER | PATH | QUERY, 2, BODY_HOST, 0, 0, interpret_mailbox, \
	  "mailboxes and messages on an IMAP server") \
	X("ipfs", 0, HOST | PATH | QUERY | FRAG, 1, BODY_TOKEN, 0, 0, interpret_common, \
	  "content of the InterPlanetary File System") \
	X("ipns", 0, HOST | PATH | QUERY | FRAG, 1, BODY_TOKEN, 0, 0, interpret_common, \
	  "names of the InterPlanetary File System") \
	X("irc", 194, EVERY, 2, BODY_HOST, 1, 0, interpret_irc, \
	  "chat on an IRC server") \
	X("ircs", 6697, EVERY, 2, BODY_HOST, 1, 0, interpret_irc, \
	  "chat on an IRC server over TLS") \
	X("jar", 0, PATH | QUERY | FRAG, 0, BODY_SWALLOW, 0, 1, interpret_opaque, \
	  "a file in a Java archive") \
	X("javascript", 0, PATH | QUERY | FRAG, 0, BODY_SWALLOW, 0, 1, interpret_opaque, \
	  "a script to run") \
	X("ldap", 389, HOST | PATH | QUERY, 2, BODY_HOST_OPTIONAL, 0, 0, interpret_ldap, \
	  "entries of a directory by LDAP") \
	X("ldaps", 636, HOST | PATH | QUERY, 2, BODY_HOST_OPTIONAL, 0, 0, interpret_ldap, \
	  "entries of a directory by LDAP over TLS") \
	X("litecoin", 0, PATH | QUERY, 0, BODY_TOKEN, 0, 0, interpret_payment, \
	  "payments in Litecoin") \
	X("livescript", 0, PATH | QUERY | FRAG, 0, BODY_SWALLOW, 0, 1, interpret_opaque, \
	  "a script to run") \
	X("magnet", 0, QUERY, 0, BODY_QUERY, 0, 0, interpret_parameters, \
	  "files identified by their content") \
	X("mailserver", 0, PATH | QUERY, 0, BODY_ADDRESS, 0, 0, interpret_mail, \
	  "data requested by mail from a server") \
	X("mailto", 0, PATH | QUERY | FRAG, 0, BODY_ADDRESS, 1, 0, interpret_mail, \
	  "mail to an address") \
	X("matrix", 0, HOST | PATH | QUERY | FRAG, 1, BODY_PATH, 0, 0, interpret_parameters, \
	  "people and rooms of the Matrix network") \
	X("mid", 0, PATH | FRAG, 0, BODY_ID, 0, 0, interpret_id, \
	  "a mail message, or a part of it") \
	X("mms", 1755, HOST | USER | PATH | QUERY, 2, BODY_HOST, 0, 0, interpret_common, \
	  "media streamed by a Microsoft server") \
	X("monero", 0, PATH | QUERY, 0, BODY_TOKEN, 0, 0, interpret_payment, \
	  "payments in Monero") \
	X("ms-", 0, PATH | QUERY | FRAG, 0, BODY_SWALLOW, 0, 1, interpret_opaque, \
	  "commands to Microsoft programs") \
	X("news", 119, HOST | USER | PATH | FRAG, 1, BODY_NEWS, 1, 0, interpret_news, \
	  "news groups and articles") \
	X("nfs", 2049, HOST | PATH | FRAG, 2, BODY_HOST, 0, 0, interpret_common, \
	  "files by the Network File System") \
	X("nntp", 119, HOST | USER | PATH, 2, BODY_HOST, 1, 0, interpret_nntp, \
	  "articles on one news server") \
	X("pop", 110, HOST | USER, 2, BODY_HOST, 0, 0, interpret_mailbox, \
	  "a mailbox on a POP server") \
	X("pres", 0, PATH | QUERY, 0, BODY_ADDRESS, 0, 0, interpret_mail, \
	  "the presence of a user") \
	X("prospero", 1525, HOST | PATH | FRAG, 2, BODY_HOST, 0, 0, interpret_prospero, \
	  "resources of the Prospero Directory Service") \
	X("rlogin", 513, HOST | USER | PATH, 2, BODY_HOST, 0, 0, interpret_login, \
	  "an interactive session by rlogin") \
	X("rsync", 873, HOST | USER | PATH, 2, BODY_HOST, 0, 0, interpret_common, \
	  "files by the rsync protocol") \
	X("rtsp", 554, EVERY, 2, BODY_HOST, 0, 0, interpret_common, \
	  "media streamed by RTSP") \
	X("rtsps", 322, EVERY, 2, BODY_HOST, 0, 0, interpret_common, \
	  "media streamed by RTSP over TLS") \
	X("search-ms", 0, PATH | QUERY | FRAG, 0, BODY_SWALLOW, 0, 1, interpret_opaque, \
	  "searches of Windows, also of other machines") \
	X("sftp", 22, HOST | USER | PATH | FRAG, 2, BODY_HOST, 0, 0, interpret_common, \
	  "files by the SSH File Transfer Protocol") \
	X("shell", 0, PATH | QUERY | FRAG, 0, BODY_SWALLOW, 0, 1, interpret_opaque, \
	  "commands to the Windows shell") \
	X("sip", 5060, PATH | QUERY, 0, BODY_ADDRESS_OR_HOST, 1, 0, interpret_sip, \
	  "calls by the Session Initiation Protocol") \
	X("sips", 5061, PATH | QUERY, 0, BODY_ADDRESS_OR_HOST, 0, 0, interpret_sip, \
	  "calls by SIP over TLS") \
	X("smb", 445, HOST | USER | PATH, 2, BODY_HOST, 0, 0, interpret_common, \
	  "files of a Windows share") \
	X("sms", 0, PATH | QUERY, 0, BODY_PHONE, 0, 0, interpret_phone, \
	  "short messages to a telephone") \
	X("snews", 563, HOST | USER | PATH | FRAG, 1, BODY_NEWS, 0, 0, interpret_news, \
	  "news groups and articles over TLS") \
	X("ssh", 22, HOST | USER | PATH, 1, BODY_ADDRESS_OR_HOST, 0, 0, interpret_common, \
	  "an interactive session by Secure Shell") \
	X("svn", 3690, HOST | USER | PATH, 2, BODY_HOST, 0, 0, interpret_common, \
	  "a Subversion repository") \
	X("svn+ssh", 22, HOST | USER | PATH, 2, BODY_HOST, 0, 0, interpret_common, \
	  "a Subversion repository over SSH") \
	X("tel", 0, PATH, 0, BODY_PHONE, 1, 0, interpret_phone, \
	  "a telephone number") \
	X("telnet", 23, HOST | USER | PATH, 2, BODY_HOST, 1, 0, interpret_login, \
	  "an interactive session by Telnet") \
	X("tn3270", 23, HOST | USER | PATH, 2, BODY_HOST, 0, 0, interpret_login, \
	  "an interactive session with a mainframe") \
	X("urn", 0, PATH | QUERY | FRAG, 0, BODY_URN, 0, 0, interpret_urn, \
	  "a persistent name, independent of location") \
	X("vbscript", 0, PATH | QUERY | FRAG, 0, BODY_SWALLOW, 0, 1, interpret_opaque, \
	  "a script to run") \
	X("view-source", 0, PATH | QUERY | FRAG, 0, BODY_SWALLOW, 0, 1, interpret_opaque, \
	  "the source of a page") \
	X("wais", 210, HOST | PATH | QUERY, 2, BODY_HOST, 0, 0, interpret_wais, \
	  "databases of the Wide Area Information Servers") \
	X("webcal", 80, EVERY, 2, BODY_HOST, 0, 0, interpret_common, \
	  "a calendar to subscribe to") \
	X("ws", 80, HOST | PATH | QUERY, 2, BODY_HOST, 0, 0, interpret_common, \
	  "a WebSocket") \
	X("wss", 443, HOST | PATH | QUERY, 2, BODY_HOST, 0, 0, interpret_common, \
	  "a WebSocket over TLS") \
	X("xmpp", 0, EVERY, 1, BODY_ADDRESS_OR_HOST, 1, 0, interpret_xmpp, \
	  "chat by XMPP") \
	X("z39.50", 210, HOST | PATH | QUERY, 2, BODY_HOST, 0, 0, interpret_z3950, \
	  "databases by Z39.50") \
	X("z39.50r", 210, HOST | PATH | QUERY, 2, BODY_HOST, 0, 0, interpret_z3950, \
	  "documents by Z39.50") \
	X("z39.50s", 210, HOST | PATH | QUERY, 2, BODY_HOST, 0, 0, interpret_z3950, \
	  "a search session by Z39.50")

/* Schemes known from the registry alone: links only with `//` or inside delimiters.  REGISTERED_SLASHES: names of
 * header fields and of markup, where no `//` follows (A1a). */
#define REGISTERED_SCHEMES \
	REGISTERED("aaa"), REGISTERED("aaas"), REGISTERED("acap"), REGISTERED("acct"), \
	REGISTERED("acd"), REGISTERED("acr"), REGISTERED("adiumxtra"), REGISTERED("adt"), \
	REGISTERED("aet"), REGISTERED("afp"), REGISTERED("agtp"), REGISTERED("aim"), \
	REGISTERED("amss"), REGISTERED("android"), REGISTERED("appdata"), REGISTERED("apt"), \
	REGISTERED("ar"), REGISTERED("ari"), REGISTERED("ark"), REGISTERED("ars"), REGISTERED("at"), \
	REGISTERED("attachment"), REGISTERED("aw"), REGISTERED("barion"), REGISTERED("bb"), \
	REGISTERED("beshare"), REGISTERED("bl"), REGISTERED("bluetooth"), REGISTERED("bolo"), \
	REGISTERED("brid"), REGISTERED("browserext"), REGISTERED("cabal"), REGISTERED("caip"), \
	REGISTERED("calculator"), REGISTERED("callto"), REGISTERED("cap"), REGISTERED("cast"), \
	REGISTERED("casts"), REGISTERED("chrome"), REGISTERED("chrome-extension"), REGISTERED("cm"), \
	REGISTERED("coap"), REGISTERED("coap+tcp"), REGISTERED("coap+ws"), REGISTERED("coaps"), \
	REGISTERED("coaps+tcp"), REGISTERED("coaps+ws"), REGISTERED("com-eventbrite-attendee"), \
	REGISTERED("content"), REGISTERED_SLASHES("content-type"), REGISTERED("crid"), REGISTERED("cstr"), \
	REGISTERED("cttps"), REGISTERED("cvs"), REGISTERED("dab"), REGISTERED("dat"), \
	REGISTERED_SLASHES("dav"), REGISTERED("dhttp"), REGISTERED("diaspora"), REGISTERED("dict"), \
	REGISTERED("did"), REGISTERED("dilithium3"), REGISTERED("dis"), \
	REGISTERED("dlna-playcontainer"), REGISTERED("dlna-playsingle"), REGISTERED("dnp"), \
	REGISTERED("dns"), REGISTERED("dntp"), REGISTERED("donau"), REGISTERED("dpp"), \
	REGISTERED("drm"), REGISTERED("drop"), REGISTERED("dtmi"), REGISTERED("dtn"), \
	REGISTERED("dvb"), REGISTERED("dvx"), REGISTERED("dweb"), REGISTERED("ed2k"), \
	REGISTERED("eid"), REGISTERED("elsi"), REGISTERED("embedded"), REGISTERED("ens"), \
	REGISTERED("esim"), REGISTERED("example"), REGISTERED("ez"), REGISTERED("facetime"), \
	REGISTERED("fax"), REGISTERED("feedready"), REGISTERED("fido"), REGISTERED("finger"), \
	REGISTERED("first-run-pen-experience"), REGISTERED("fish"), REGISTERED("fm"), \
	REGISTERED("fuchsia-pkg"), REGISTERED("gcx"), REGISTERED("gdsi"), REGISTERED("gg"), \
	REGISTERED("gitoid"), REGISTERED("gizmoproject"), REGISTERED("go"), REGISTERED("graph"), \
	REGISTERED("grd"), REGISTERED("gtalk"), REGISTERED("h323"), REGISTERED("ham"), \
	REGISTERED("hcap"), REGISTERED("hcp"), REGISTERED("hs20"), REGISTERED("hxxp"), \
	REGISTERED("hxxps"), REGISTERED("hydrazone"), REGISTERED("hyper"), REGISTERED("i0"), \
	REGISTERED("iax"), REGISTERED("ibi"), REGISTERED("ibi-"), REGISTERED("icap"), \
	REGISTERED("icon"), REGISTERED("ilstring"), REGISTERED_BODY("info", BODY_NAMESPACE), REGISTERED("interaction"), \
	REGISTERED("iotdisco"), REGISTERED("ipn"), REGISTERED("ipp"), REGISTERED("ipps"), \
	REGISTERED("irc6"), REGISTERED("iris"), REGISTERED("iris.beep"), REGISTERED("iris.lwz"), \
	REGISTERED("iris.xpc"), REGISTERED("iris.xpcs"), REGISTERED("isostore"), REGISTERED("itms"), \
	REGISTERED("jabber"), REGISTERED("jms"), REGISTERED("keyparc"), REGISTERED("lastfm"), \
	REGISTERED("lbry"), REGISTERED("leaptofrogans"), REGISTERED("lid"), REGISTERED("linkid"), \
	REGISTERED("lorawan"), REGISTERED("lpa"), REGISTERED("lvlt"), \
	REGISTERED("machineprovisioningprogressreporter"), REGISTERED("maps"), REGISTERED("market"), \
	REGISTERED("mdoc"), REGISTERED("mdoc-openid4vp"), REGISTERED("message"), \
	REGISTERED("microsoft.windows.camera"), REGISTERED("microsoft.windows.camera.multipicker"), \
	REGISTERED("microsoft.windows.camera.picker"), REGISTERED("modem"), REGISTERED("mongodb"), \
	REGISTERED("moz"), REGISTERED("mqtt"), REGISTERED("mqtts"), REGISTERED("msnim"), \
	REGISTERED("msrp"), REGISTERED("msrps"), REGISTERED_SLASHES("mss"), REGISTERED("mt"), \
	REGISTERED("mtqp"), REGISTERED("mtrust"), REGISTERED("mumble"), REGISTERED("mupdate"), \
	REGISTERED("musik"), REGISTERED("mvn"), REGISTERED("mvrp"), REGISTERED("mvrps"), \
	REGISTERED("ni"), REGISTERED("nih"), REGISTERED("nostr"), REGISTERED("notes"), \
	REGISTERED("npamp"), REGISTERED("num"), REGISTERED("ocf"), REGISTERED("oid"), \
	REGISTERED("onenote"), REGISTERED("onenote-cmd"), REGISTERED("opaquelocktoken"), \
	REGISTERED("openid"), REGISTERED("openpgp4fpr"), REGISTERED("otpauth"), REGISTERED("p1"), \
	REGISTERED("pack"), REGISTERED("palm"), REGISTERED("paparazzi"), REGISTERED_SLASHES("payment"), \
	REGISTERED("payto"), REGISTERED("pkcs11"), REGISTERED("pkg"), REGISTERED("platform"), \
	REGISTERED("proxy"), REGISTERED("psyc"), REGISTERED("pttp"), REGISTERED("pwid"), \
	REGISTERED("qb"), REGISTERED("query"), REGISTERED("quic-transport"), REGISTERED("redis"), \
	REGISTERED("rediss"), REGISTERED("reload"), REGISTERED("res"), REGISTERED("resource"), \
	REGISTERED("rmi"), REGISTERED("rtmfp"), REGISTERED("rtmp"), REGISTERED("rtspu"), \
	REGISTERED("sarif"), REGISTERED("secondlife"), REGISTERED("secret-token"), \
	REGISTERED_SLASHES("service"), REGISTERED_SLASHES("session"), REGISTERED("sgn"), REGISTERED("shc"), \
	REGISTERED("shelter"), REGISTERED("shttp"), REGISTERED("sieve"), REGISTERED("simpleledger"), \
	REGISTERED("simplex"), REGISTERED("skype"), REGISTERED("smp"), REGISTERED("smtp"), \
	REGISTERED("snmp"), REGISTERED("soap.beep"), REGISTERED("soap.beeps"), REGISTERED("soldat"), \
	REGISTERED("spacify"), REGISTERED("spiffe"), REGISTERED("spotify"), REGISTERED("ssb"), \
	REGISTERED("sss"), REGISTERED("starknet"), REGISTERED("stun"), \
	REGISTERED("stuns"), REGISTERED("submit"), REGISTERED("swh"), REGISTERED("swid"), \
	REGISTERED("swidpath"), REGISTERED("tag"), REGISTERED("taler"), REGISTERED("teamspeak"), \
	REGISTERED("teapot"), REGISTERED("teapots"), REGISTERED("teliaeid"), REGISTERED("tftp"), \
	REGISTERED("things"), REGISTERED("thismessage"), REGISTERED("thzp"), REGISTERED("tip"), \
	REGISTERED("tool"), REGISTERED("tttps"), REGISTERED("turn"), REGISTERED("turns"), \
	REGISTERED("tv"), REGISTERED("udp"), REGISTERED("unreal"), REGISTERED("upn"), \
	REGISTERED("upt"), REGISTERED("ust"), REGISTERED("ut2004"), REGISTERED("uuaid"), \
	REGISTERED("uuid-in-package"), REGISTERED("v-event"), REGISTERED("vemmi"), \
	REGISTERED("ventrilo"), REGISTERED("ves"), REGISTERED("videotex"), REGISTERED("vnc"), \
	REGISTERED("vscode"), REGISTERED("vscode-insiders"), REGISTERED("vsls"), REGISTERED("w3"), \
	REGISTERED("wasm"), REGISTERED("wasm-js"), REGISTERED("wcr"), REGISTERED("web+ap"), \
	REGISTERED("web+interaction"), REGISTERED("web3"), REGISTERED("wifi"), REGISTERED("wpid"), \
	REGISTERED("wtai"), REGISTERED("wyciwyg"), REGISTERED("xcompute"), REGISTERED_SLASHES("xcon"), \
	REGISTERED("xcon-userid"), REGISTERED("xfire"), REGISTERED("xftp"), \
	REGISTERED("xmlrpc.beep"), REGISTERED("xmlrpc.beeps"), REGISTERED("xrcp"), \
	REGISTERED("xri"), REGISTERED("ymsgr"), REGISTERED("ztdnaid")

#endif
