/* Made by make-charref-table; do not edit.  Source of the facts: the named character
 * references of the HTML standard (https://html.spec.whatwg.org/entities.json), as
 * Python's html.entities.html5 has them. */
enum { CHARREF_SLOTS = 4096, CHARREF_LEGACY = 16 };

/* The names, sorted and end to end, without `&` and `;`. */
static const char charref_names[][4001] = {
	"AEligAMPAacuteAbreveAcircAcyAfrAgraveAlphaAmacrAndAogonAopfApplyFunctionAringAscrAssignAtildeAumlBackslashBarv"
	"BarwedBcyBecauseBernoullisBetaBfrBopfBreveBscrBumpeqCHcyCOPYCacuteCapCapitalDifferentialDCayleysCcaronCcedilCc"
	"ircCconintCdotCedillaCenterDotCfrChiCircleDotCircleMinusCirclePlusCircleTimesClockwiseContourIntegralCloseCurl"
	"yDoubleQuoteCloseCurlyQuoteColonColoneCongruentConintContourIntegralCopfCoproductCounterClockwiseContourIntegr"
	"alCrossCscrCupCupCapDDDDotrahdDJcyDScyDZcyDaggerDarrDashvDcaronDcyDelDeltaDfrDiacriticalAcuteDiacriticalDotDia"
	"criticalDoubleAcuteDiacriticalGraveDiacriticalTildeDiamondDifferentialDDopfDotDotDotDotEqualDoubleContourInteg"
	"ralDoubleDotDoubleDownArrowDoubleLeftArrowDoubleLeftRightArrowDoubleLeftTeeDoubleLongLeftArrowDoubleLongLeftRi"
	"ghtArrowDoubleLongRightArrowDoubleRightArrowDoubleRightTeeDoubleUpArrowDoubleUpDownArrowDoubleVerticalBarDownA"
	"rrowDownArrowBarDownArrowUpArrowDownBreveDownLeftRightVectorDownLeftTeeVectorDownLeftVectorDownLeftVectorBarDo"
	"wnRightTeeVectorDownRightVectorDownRightVectorBarDownTeeDownTeeArrowDownarrowDscrDstrokENGETHEacuteEcaronEcirc"
	"EcyEdotEfrEgraveElementEmacrEmptySmallSquareEmptyVerySmallSquareEogonEopfEpsilonEqualEqualTildeEquilibriumEscr"
	"EsimEtaEumlExistsExponentialEFcyFfrFilledSmallSquareFilledVerySmallSquareFopfForAllFouriertrfFscrGJcyGTGammaGa"
	"mmadGbreveGcedilGcircGcyGdotGfrGgGopfGreaterEqualGreaterEqualLessGreaterFullEqualGreaterGreaterGreaterLessGrea"
	"terSlantEqualGreaterTildeGscrGtHARDcyHacekHatHcircHfrHilbertSpaceHopfHorizontalLineHscrHstrokHumpDownHumpHumpE"
	"qualIEcyIJligIOcyIacuteIcircIcyIdotIfrIgraveImImacrImaginaryIImpliesIntIntegralIntersectionInvisibleCommaInvis"
	"ibleTimesIogonIopfIotaIscrItildeIukcyIumlJcircJcyJfrJopfJscrJsercyJukcyKHcyKJcyKappaKcedilKcyKfrKopfKscrLJcyLT"
	"LacuteLambdaLangLaplacetrfLarrLcaronLcedilLcyLeftAngleBracketLeftArrowLeftArrowBarLeftArrowRightArrowLeftCeili"
	"ngLeftDoubleBracketLeftDownTeeVectorLeftDownVectorLeftDownVectorBarLeftFloorLeftRightArrowLeftRightVectorLeftT"
	"eeLeftTeeArrowLeftTeeVectorLeftTriangleLeftTriangleBarLeftTriangleEqualLeftUpDownVectorLeftUpTeeVectorLeftUpVe"
	"ctorLeftUpVectorBarLeftVectorLeftVectorBarLeftarrowLeftrightarrowLessEqualGreaterLessFullEqualLessGreaterLessL"
	"essLessSlantEqualLessTildeLfrLlLleftarrowLmidotLongLeftArrowLongLeftRightArrowLongRightArrowLongleftarrowLongl"
	"eftrightarrowLongrightarrowLopfLowerLeftArrowLowerRightArrowLscrLshLstrokLtMapMcyMediumSpaceMellintrfMfrMinusP"
	"lusMopfMscrMuNJcyNacuteNcaronNcedilNcyNegativeMediumSpaceNegativeThickSpaceNegativeThinSpaceNegativeVeryThinSp"
	"aceNestedGreaterGreaterNestedLessLessNewLineNfrNoBreakNonBreakingSpaceNopfNotNotCongruentNotCupCapNotDoubleVer"
	"ticalBarNotElementNotEqualNotEqualTildeNotExistsNotGreaterNotGreaterEqualNotGreaterFullEqualNotGreaterGreaterN"
	"otGreaterLessNotGreaterSlantEqualNotGreaterTildeNotHumpDownHumpNotHumpEqualNotLeftTriangleNotLeftTriangleBarNo"
	"tLeftTriangleEqualNotLessNotLessEqualNotLessGreaterNotLessLessNotLessSlantEqualNotLessTildeNotNestedGreaterGre"
	"aterNotNestedLessLessNotPrecedesNotPrecedesEqualNotPrecedesSlantEqualNotReverseElementNotRightTriangleNotRight"
	"TriangleBarNotRightTriangleEqualNotSquareSubsetNotSquareSubsetEqualNotSquareSupersetNotSquareSupersetEqualNotS"
	"ubsetNotSubsetEqualNotSucceedsNotSucceedsEqualNotSucceedsSlantEqualNotSucceedsTildeNotSupersetNotSupersetEqual"
	"NotTildeNotTildeEqualNotTildeFullEqualNotTildeTildeNotVerticalBarNscrNtildeNuOEligOacuteOcircOcyOdblacOfrOgrav"
	"eOmacrOmegaOmicronOopfOpenCurlyDoubleQuoteOpenCurlyQuoteOrOscrOslashOtildeOtimesOumlOverBarOverBraceOverBracke"
	"tOverParenthesisPartialDPcyPfrPhiPiPlusMinusPoincareplanePopfPrPrecedesPrecedesEqualPrecedesSlantEqualPrecedes"
	"TildePrimeProductProportionProportionalPscrPsiQUOTQfrQopfQscrRBarrREGRacuteRangRarrRarrtlRcaronRcedilRcyReReve"
	"rseElementReverseEquilibriumReverseUpEquilibriumRfrRhoRightAngleBracketRightArrowRightArrowBarRightArrowLeftAr"
	"rowRightCeilingRightDoubleBracketRightDownTeeVectorRightDownVectorRightDownVectorBarRightFloorRightTeeRightTee"
	"ArrowRightTeeVectorRightTriangle",
	"RightTriangleBarRightTriangleEqualRightUpDownVectorRightUpTeeVectorRightUpVectorRightUpVectorBarRightVectorRig"
	"htVectorBarRightarrowRopfRoundImpliesRrightarrowRscrRshRuleDelayedSHCHcySHcySOFTcySacuteScScaronScedilScircScy"
	"SfrShortDownArrowShortLeftArrowShortRightArrowShortUpArrowSigmaSmallCircleSopfSqrtSquareSquareIntersectionSqua"
	"reSubsetSquareSubsetEqualSquareSupersetSquareSupersetEqualSquareUnionSscrStarSubSubsetSubsetEqualSucceedsSucce"
	"edsEqualSucceedsSlantEqualSucceedsTildeSuchThatSumSupSupersetSupersetEqualSupsetTHORNTRADETSHcyTScyTabTauTcaro"
	"nTcedilTcyTfrThereforeThetaThickSpaceThinSpaceTildeTildeEqualTildeFullEqualTildeTildeTopfTripleDotTscrTstrokUa"
	"cuteUarrUarrocirUbrcyUbreveUcircUcyUdblacUfrUgraveUmacrUnderBarUnderBraceUnderBracketUnderParenthesisUnionUnio"
	"nPlusUogonUopfUpArrowUpArrowBarUpArrowDownArrowUpDownArrowUpEquilibriumUpTeeUpTeeArrowUparrowUpdownarrowUpperL"
	"eftArrowUpperRightArrowUpsiUpsilonUringUscrUtildeUumlVDashVbarVcyVdashVdashlVeeVerbarVertVerticalBarVerticalLi"
	"neVerticalSeparatorVerticalTildeVeryThinSpaceVfrVopfVscrVvdashWcircWedgeWfrWopfWscrXfrXiXopfXscrYAcyYIcyYUcyYa"
	"cuteYcircYcyYfrYopfYscrYumlZHcyZacuteZcaronZcyZdotZeroWidthSpaceZetaZfrZopfZscraacuteabreveacacEacdacircacutea"
	"cyaeligafafragravealefsymalephalphaamacramalgampandandandanddandslopeandvangangeangleangmsdangmsdaaangmsdabang"
	"msdacangmsdadangmsdaeangmsdafangmsdagangmsdahangrtangrtvbangrtvbdangsphangstangzarraogonaopfapapEapacirapeapid"
	"aposapproxapproxeqaringascrastasympasympeqatildeaumlawconintawintbNotbackcongbackepsilonbackprimebacksimbacksi"
	"meqbarveebarwedbarwedgebbrkbbrktbrkbcongbcybdquobecausbecausebemptyvbepsibernoubetabethbetweenbfrbigcapbigcirc"
	"bigcupbigodotbigoplusbigotimesbigsqcupbigstarbigtriangledownbigtriangleupbiguplusbigveebigwedgebkarowblackloze"
	"ngeblacksquareblacktriangleblacktriangledownblacktriangleleftblacktrianglerightblankblk12blk14blk34blockbnebne"
	"quivbnotbopfbotbottombowtieboxDLboxDRboxDlboxDrboxHboxHDboxHUboxHdboxHuboxULboxURboxUlboxUrboxVboxVHboxVLboxVR"
	"boxVhboxVlboxVrboxboxboxdLboxdRboxdlboxdrboxhboxhDboxhUboxhdboxhuboxminusboxplusboxtimesboxuLboxuRboxulboxurbo"
	"xvboxvHboxvLboxvRboxvhboxvlboxvrbprimebrevebrvbarbscrbsemibsimbsimebsolbsolbbsolhsubbullbulletbumpbumpEbumpebu"
	"mpeqcacutecapcapandcapbrcupcapcapcapcupcapdotcapscaretcaronccapsccaronccedilccircccupsccupssmcdotcedilcemptyvc"
	"entcenterdotcfrchcycheckcheckmarkchicircirEcirccirceqcirclearrowleftcirclearrowrightcircledRcircledScircledast"
	"circledcirccircleddashcirecirfnintcirmidcirscirclubsclubsuitcoloncolonecoloneqcommacommatcompcompfncomplementc"
	"omplexescongcongdotconintcopfcoprodcopycopysrcrarrcrosscscrcsubcsubecsupcsupectdotcudarrlcudarrrcueprcuesccula"
	"rrcularrpcupcupbrcapcupcapcupcupcupdotcuporcupscurarrcurarrmcurlyeqpreccurlyeqsucccurlyveecurlywedgecurrencurv"
	"earrowleftcurvearrowrightcuveecuwedcwconintcwintcylctydArrdHardaggerdalethdarrdashdashvdbkarowdblacdcarondcydd"
	"ddaggerddarrddotseqdegdeltademptyvdfishtdfrdharldharrdiamdiamonddiamondsuitdiamsdiedigammadisindivdividedivide"
	"ontimesdivonxdjcydlcorndlcropdollardopfdotdoteqdoteqdotdotminusdotplusdotsquaredoublebarwedgedownarrowdowndown"
	"arrowsdownharpoonleftdownharpoonrightdrbkarowdrcorndrcropdscrdscydsoldstrokdtdotdtridtrifduarrduhardwangledzcy"
	"dzigrarreDDoteDoteacuteeasterecaronecirecircecolonecyedoteeefDotefregegraveegsegsdotelelintersellelselsdotemac"
	"remptyemptysetemptyvemspemsp13emsp14engenspeogoneopfepareparsleplusepsiepsilonepsiveqcirceqcoloneqsimeqslantgt"
	"reqslantlessequalsequestequivequivDDeqvparslerDoterarrescresdotesimetaetheumleuroexclexistexpectationexponenti"
	"alefallingdotseqfcyfemaleffiligffligfflligffrfiligfjligflatflligfltnsfnoffopfforallforkforkvfpartintfrac12frac"
	"13frac14frac15frac16frac18frac23frac25frac34frac35frac38frac45frac56frac58frac78fraslfrownfscrgEgElgacutegamma"
	"gammadgapgbrevegcircgcygdotgegelgeqgeqqgeqslantgesgesccgesdotgesdotogesdotolgeslgeslesgfrggggggimelgjcyglglEgl"
	"agljgnEgnapgnapproxgnegneqgneqqgnsimgopfgravegscrgsimgsimegsimlgtgtccgtcirgtdotgtlPargtquestgtrapproxgtrarrgtr"
	"dotgtreqlessgtreqqlessgtrlessgtrsim",
	"gvertneqqgvnEhArrhairsphalfhamilthardcyharrharrcirharrwhbarhcircheartsheartsuithellipherconhfrhksearowhkswarow"
	"hoarrhomththookleftarrowhookrightarrowhopfhorbarhscrhslashhstrokhybullhypheniacuteicicircicyiecyiexcliffifrigr"
	"aveiiiiiintiiintiinfiniiotaijligimacrimageimaglineimagpartimathimofimpedinincareinfininfintieinodotintintcalin"
	"tegersintercalintlarhkintprodiocyiogoniopfiotaiprodiquestiscrisinisinEisindotisinsisinsvisinvititildeiukcyiuml"
	"jcircjcyjfrjmathjopfjscrjsercyjukcykappakappavkcedilkcykfrkgreenkhcykjcykopfkscrlAarrlArrlAtaillBarrlElEglHarl"
	"acutelaemptyvlagranlambdalanglangdlanglelaplaquolarrlarrblarrbfslarrfslarrhklarrlplarrpllarrsimlarrtllatlatail"
	"latelateslbarrlbbrklbracelbracklbrkelbrksldlbrkslulcaronlcedillceillcublcyldcaldquoldquorldrdharldrusharldshle"
	"leftarrowleftarrowtailleftharpoondownleftharpoonupleftleftarrowsleftrightarrowleftrightarrowsleftrightharpoons"
	"leftrightsquigarrowleftthreetimeslegleqleqqleqslantleslescclesdotlesdotolesdotorlesglesgeslessapproxlessdotles"
	"seqgtrlesseqqgtrlessgtrlesssimlfishtlfloorlfrlglgElhardlharulharullhblkljcyllllarrllcornerllhardlltrilmidotlmo"
	"ustlmoustachelnElnaplnapproxlnelneqlneqqlnsimloangloarrlobrklongleftarrowlongleftrightarrowlongmapstolongright"
	"arrowlooparrowleftlooparrowrightloparlopflopluslotimeslowastlowbarlozlozengelozflparlparltlrarrlrcornerlrharlr"
	"hardlrmlrtrilsaquolscrlshlsimlsimelsimglsqblsquolsquorlstrokltltccltcirltdotlthreeltimesltlarrltquestltrParltr"
	"iltrieltriflurdsharluruharlvertneqqlvnEmDDotmacrmalemaltmaltesemapmapstomapstodownmapstoleftmapstoupmarkermcom"
	"mamcymdashmeasuredanglemfrmhomicromidmidastmidcirmiddotminusminusbminusdminusdumlcpmldrmnplusmodelsmopfmpmscrm"
	"stposmumultimapmumapnGgnGtnGtvnLeftarrownLeftrightarrownLlnLtnLtvnRightarrownVDashnVdashnablanacutenangnapnapE"
	"napidnaposnapproxnaturnaturalnaturalsnbspnbumpnbumpencapncaronncedilncongncongdotncupncyndashneneArrnearhknear"
	"rnearrownedotnequivnesearnesimnexistnexistsnfrngEngengeqngeqqngeqslantngesngsimngtngtrnhArrnharrnhparninisnisd"
	"nivnjcynlArrnlEnlarrnldrnlenleftarrownleftrightarrownleqnleqqnleqslantnlesnlessnlsimnltnltrinltrienmidnopfnotn"
	"otinnotinEnotindotnotinvanotinvbnotinvcnotninotnivanotnivbnotnivcnparnparallelnparslnpartnpolintnprnprcuenpren"
	"precnpreceqnrArrnrarrnrarrcnrarrwnrightarrownrtrinrtrienscnsccuenscenscrnshortmidnshortparallelnsimnsimensimeq"
	"nsmidnsparnsqsubensqsupensubnsubEnsubensubsetnsubseteqnsubseteqqnsuccnsucceqnsupnsupEnsupensupsetnsupseteqnsup"
	"seteqqntglntildentlgntriangleleftntrianglelefteqntrianglerightntrianglerighteqnunumnumeronumspnvDashnvHarrnvap"
	"nvdashnvgenvgtnvinfinnvlArrnvlenvltnvltrienvrArrnvrtrienvsimnwArrnwarhknwarrnwarrownwnearoSoacuteoastocirocirc"
	"ocyodashodblacodivodotodsoldoeligofcirofrogonograveogtohbarohmointolarrolcirolcrossolineoltomacromegaomicronom"
	"idominusoopfoparoperpoplusororarrordorderorderofordfordmorigoforororslopeorvoscroslashosolotildeotimesotimesas"
	"oumlovbarparparaparallelparsimparslpartpcypercntperiodpermilperppertenkpfrphiphivphmmatphonepipitchforkpivplan"
	"ckplanckhplankvplusplusacirplusbpluscirplusdoplusdupluseplusmnplussimplustwopmpointintpopfpoundprprEprapprcuep"
	"reprecprecapproxpreccurlyeqpreceqprecnapproxprecneqqprecnsimprecsimprimeprimesprnEprnapprnsimprodprofalarprofl"
	"ineprofsurfpropproptoprsimprurelpscrpsipuncspqfrqintqopfqprimeqscrquaternionsquatintquestquesteqquotrAarrrArrr"
	"AtailrBarrrHarraceracuteradicraemptyvrangrangdrangerangleraquorarrrarraprarrbrarrbfsrarrcrarrfsrarrhkrarrlprar"
	"rplrarrsimrarrtlrarrwratailratiorationalsrbarrrbbrkrbracerbrackrbrkerbrksldrbrkslurcaronrcedilrceilrcubrcyrdca"
	"rdldharrdquordquorrdshrealrealinerealpartrealsrectregrfishtrfloorrfrrhardrharurharulrhorhovrightarrowrightarro"
	"wtailrightharpoondownrightharpoonuprightleftarrowsrightleftharpoonsrightrightarrowsrightsquigarrowrightthreeti"
	"mesringrisingdotseqrlarrrlharrlmrmoustrmoustachernmidroangroarrrobrkroparropfroplusrotimesrparrpargtrppolintrr"
	"arrrsaquorscrrshrsqbrsquorsquorrthreertimesrtrirtriertrifrtriltriruluharrxsacutesbquoscscEscapscaronsccuescesc"
	"edilscircscnEscnapscnsimscpolintscsimscy",
	"sdotsdotbsdoteseArrsearhksearrsearrowsectsemiseswarsetminussetmnsextsfrsfrownsharpshchcyshcyshortmidshortparal"
	"lelshysigmasigmafsigmavsimsimdotsimesimeqsimgsimgEsimlsimlEsimnesimplussimrarrslarrsmallsetminussmashpsmeparsl"
	"smidsmilesmtsmtesmtessoftcysolsolbsolbarsopfspadesspadesuitsparsqcapsqcapssqcupsqcupssqsubsqsubesqsubsetsqsubs"
	"eteqsqsupsqsupesqsupsetsqsupseteqsqusquaresquarfsqufsrarrsscrssetmnssmilesstarfstarstarfstraightepsilonstraigh"
	"tphistrnssubsubEsubdotsubesubedotsubmultsubnEsubnesubplussubrarrsubsetsubseteqsubseteqqsubsetneqsubsetneqqsubs"
	"imsubsubsubsupsuccsuccapproxsucccurlyeqsucceqsuccnapproxsuccneqqsuccnsimsuccsimsumsungsupsup1sup2sup3supEsupdo"
	"tsupdsubsupesupedotsuphsolsuphsubsuplarrsupmultsupnEsupnesupplussupsetsupseteqsupseteqqsupsetneqsupsetneqqsups"
	"imsupsubsupsupswArrswarhkswarrswarrowswnwarszligtargettautbrktcarontcediltcytdottelrectfrthere4thereforethetat"
	"hetasymthetavthickapproxthicksimthinspthkapthksimthorntildetimestimesbtimesbartimesdtinttoeatoptopbottopcirtop"
	"ftopforktosatprimetradetriangletriangledowntrianglelefttrianglelefteqtriangleqtrianglerighttrianglerighteqtrid"
	"ottrietriminustriplustrisbtritimetrpeziumtscrtscytshcytstroktwixttwoheadleftarrowtwoheadrightarrowuArruHaruacu"
	"teuarrubrcyubreveucircucyudarrudblacudharufishtufrugraveuharluharruhblkulcornulcornerulcropultriumacrumluogonu"
	"opfuparrowupdownarrowupharpoonleftupharpoonrightuplusupsiupsihupsilonupuparrowsurcornurcornerurcropuringurtriu"
	"scrutdotutildeutriutrifuuarruumluwanglevArrvBarvBarvvDashvangrtvarepsilonvarkappavarnothingvarphivarpivarpropt"
	"ovarrvarrhovarsigmavarsubsetneqvarsubsetneqqvarsupsetneqvarsupsetneqqvarthetavartriangleleftvartrianglerightvc"
	"yvdashveeveebarveeeqvellipverbarvertvfrvltrivnsubvnsupvopfvpropvrtrivscrvsubnEvsubnevsupnEvsupnevzigzagwcircwe"
	"dbarwedgewedgeqweierpwfrwopfwpwrwreathwscrxcapxcircxcupxdtrixfrxhArrxharrxixlArrxlarrxmapxnisxodotxopfxoplusxo"
	"timexrArrxrarrxscrxsqcupxuplusxutrixveexwedgeyacuteyacyycircycyyenyfryicyyopfyscryucyyumlzacutezcaronzcyzdotze"
	"etrfzetazfrzhcyzigrarrzopfzscrzwjzwnj",
};

/* What may stand after the first code point. */
static const uint16_t charref_second[] = { 0, 0x006A, 0x0331, 0x0333, 0x0338, 0x200A, 0x20D2, 0x20E5, 0xFE00 };

/* In the order of the names: which literal (from bit 12) and where in it, length,
 * the second code point's index (CHARREF_LEGACY: good without `;` too), the first. */
static const struct charref_row charref_rows[] = {
	{0,5,16,0xC6}, {5,3,16,0x26}, {8,6,16,0xC1}, {14,6,0,0x102}, {20,5,16,0xC2}, {25,3,0,0x410}, {28,3,0,0x1D504},
	{31,6,16,0xC0}, {37,5,0,0x391}, {42,5,0,0x100}, {47,3,0,0x2A53}, {50,5,0,0x104}, {55,4,0,0x1D538}, {59,13,0,0x2061},
	{72,5,16,0xC5}, {77,4,0,0x1D49C}, {81,6,0,0x2254}, {87,6,16,0xC3}, {93,4,16,0xC4}, {97,9,0,0x2216}, {106,4,0,0x2AE7},
	{110,6,0,0x2306}, {116,3,0,0x411}, {119,7,0,0x2235}, {126,10,0,0x212C}, {136,4,0,0x392}, {140,3,0,0x1D505},
	{143,4,0,0x1D539}, {147,5,0,0x2D8}, {152,4,0,0x212C}, {156,6,0,0x224E}, {162,4,0,0x427}, {166,4,16,0xA9},
	{170,6,0,0x106}, {176,3,0,0x22D2}, {179,20,0,0x2145}, {199,7,0,0x212D}, {206,6,0,0x10C}, {212,6,16,0xC7},
	{218,5,0,0x108}, {223,7,0,0x2230}, {230,4,0,0x10A}, {234,7,0,0xB8}, {241,9,0,0xB7}, {250,3,0,0x212D}, {253,3,0,0x3A7},
	{256,9,0,0x2299}, {265,11,0,0x2296}, {276,10,0,0x2295}, {286,11,0,0x2297}, {297,24,0,0x2232}, {321,21,0,0x201D},
	{342,15,0,0x2019}, {357,5,0,0x2237}, {362,6,0,0x2A74}, {368,9,0,0x2261}, {377,6,0,0x222F}, {383,15,0,0x222E},
	{398,4,0,0x2102}, {402,9,0,0x2210}, {411,31,0,0x2233}, {442,5,0,0x2A2F}, {447,4,0,0x1D49E}, {451,3,0,0x22D3},
	{454,6,0,0x224D}, {460,2,0,0x2145}, {462,8,0,0x2911}, {470,4,0,0x402}, {474,4,0,0x405}, {478,4,0,0x40F},
	{482,6,0,0x2021}, {488,4,0,0x21A1}, {492,5,0,0x2AE4}, {497,6,0,0x10E}, {503,3,0,0x414}, {506,3,0,0x2207},
	{509,5,0,0x394}, {514,3,0,0x1D507}, {517,16,0,0xB4}, {533,14,0,0x2D9}, {547,22,0,0x2DD}, {569,16,0,0x60},
	{585,16,0,0x2DC}, {601,7,0,0x22C4}, {608,13,0,0x2146}, {621,4,0,0x1D53B}, {625,3,0,0xA8}, {628,6,0,0x20DC},
	{634,8,0,0x2250}, {642,21,0,0x222F}, {663,9,0,0xA8}, {672,15,0,0x21D3}, {687,15,0,0x21D0}, {702,20,0,0x21D4},
	{722,13,0,0x2AE4}, {735,19,0,0x27F8}, {754,24,0,0x27FA}, {778,20,0,0x27F9}, {798,16,0,0x21D2}, {814,14,0,0x22A8},
	{828,13,0,0x21D1}, {841,17,0,0x21D5}, {858,17,0,0x2225}, {875,9,0,0x2193}, {884,12,0,0x2913}, {896,16,0,0x21F5},
	{912,9,0,0x311}, {921,19,0,0x2950}, {940,17,0,0x295E}, {957,14,0,0x21BD}, {971,17,0,0x2956}, {988,18,0,0x295F},
	{1006,15,0,0x21C1}, {1021,18,0,0x2957}, {1039,7,0,0x22A4}, {1046,12,0,0x21A7}, {1058,9,0,0x21D3}, {1067,4,0,0x1D49F},
	{1071,6,0,0x110}, {1077,3,0,0x14A}, {1080,3,16,0xD0}, {1083,6,16,0xC9}, {1089,6,0,0x11A}, {1095,5,16,0xCA},
	{1100,3,0,0x42D}, {1103,4,0,0x116}, {1107,3,0,0x1D508}, {1110,6,16,0xC8}, {1116,7,0,0x2208}, {1123,5,0,0x112},
	{1128,16,0,0x25FB}, {1144,20,0,0x25AB}, {1164,5,0,0x118}, {1169,4,0,0x1D53C}, {1173,7,0,0x395}, {1180,5,0,0x2A75},
	{1185,10,0,0x2242}, {1195,11,0,0x21CC}, {1206,4,0,0x2130}, {1210,4,0,0x2A73}, {1214,3,0,0x397}, {1217,4,16,0xCB},
	{1221,6,0,0x2203}, {1227,12,0,0x2147}, {1239,3,0,0x424}, {1242,3,0,0x1D509}, {1245,17,0,0x25FC}, {1262,21,0,0x25AA},
	{1283,4,0,0x1D53D}, {1287,6,0,0x2200}, {1293,10,0,0x2131}, {1303,4,0,0x2131}, {1307,4,0,0x403}, {1311,2,16,0x3E},
	{1313,5,0,0x393}, {1318,6,0,0x3DC}, {1324,6,0,0x11E}, {1330,6,0,0x122}, {1336,5,0,0x11C}, {1341,3,0,0x413},
	{1344,4,0,0x120}, {1348,3,0,0x1D50A}, {1351,2,0,0x22D9}, {1353,4,0,0x1D53E}, {1357,12,0,0x2265}, {1369,16,0,0x22DB},
	{1385,16,0,0x2267}, {1401,14,0,0x2AA2}, {1415,11,0,0x2277}, {1426,17,0,0x2A7E}, {1443,12,0,0x2273},
	{1455,4,0,0x1D4A2}, {1459,2,0,0x226B}, {1461,6,0,0x42A}, {1467,5,0,0x2C7}, {1472,3,0,0x5E}, {1475,5,0,0x124},
	{1480,3,0,0x210C}, {1483,12,0,0x210B}, {1495,4,0,0x210D}, {1499,14,0,0x2500}, {1513,4,0,0x210B}, {1517,6,0,0x126},
	{1523,12,0,0x224E}, {1535,9,0,0x224F}, {1544,4,0,0x415}, {1548,5,0,0x132}, {1553,4,0,0x401}, {1557,6,16,0xCD},
	{1563,5,16,0xCE}, {1568,3,0,0x418}, {1571,4,0,0x130}, {1575,3,0,0x2111}, {1578,6,16,0xCC}, {1584,2,0,0x2111},
	{1586,5,0,0x12A}, {1591,10,0,0x2148}, {1601,7,0,0x21D2}, {1608,3,0,0x222C}, {1611,8,0,0x222B}, {1619,12,0,0x22C2},
	{1631,14,0,0x2063}, {1645,14,0,0x2062}, {1659,5,0,0x12E}, {1664,4,0,0x1D540}, {1668,4,0,0x399}, {1672,4,0,0x2110},
	{1676,6,0,0x128}, {1682,5,0,0x406}, {1687,4,16,0xCF}, {1691,5,0,0x134}, {1696,3,0,0x419}, {1699,3,0,0x1D50D},
	{1702,4,0,0x1D541}, {1706,4,0,0x1D4A5}, {1710,6,0,0x408}, {1716,5,0,0x404}, {1721,4,0,0x425}, {1725,4,0,0x40C},
	{1729,5,0,0x39A}, {1734,6,0,0x136}, {1740,3,0,0x41A}, {1743,3,0,0x1D50E}, {1746,4,0,0x1D542}, {1750,4,0,0x1D4A6},
	{1754,4,0,0x409}, {1758,2,16,0x3C}, {1760,6,0,0x139}, {1766,6,0,0x39B}, {1772,4,0,0x27EA}, {1776,10,0,0x2112},
	{1786,4,0,0x219E}, {1790,6,0,0x13D}, {1796,6,0,0x13B}, {1802,3,0,0x41B}, {1805,16,0,0x27E8}, {1821,9,0,0x2190},
	{1830,12,0,0x21E4}, {1842,19,0,0x21C6}, {1861,11,0,0x2308}, {1872,17,0,0x27E6}, {1889,17,0,0x2961},
	{1906,14,0,0x21C3}, {1920,17,0,0x2959}, {1937,9,0,0x230A}, {1946,14,0,0x2194}, {1960,15,0,0x294E}, {1975,7,0,0x22A3},
	{1982,12,0,0x21A4}, {1994,13,0,0x295A}, {2007,12,0,0x22B2}, {2019,15,0,0x29CF}, {2034,17,0,0x22B4},
	{2051,16,0,0x2951}, {2067,15,0,0x2960}, {2082,12,0,0x21BF}, {2094,15,0,0x2958}, {2109,10,0,0x21BC},
	{2119,13,0,0x2952}, {2132,9,0,0x21D0}, {2141,14,0,0x21D4}, {2155,16,0,0x22DA}, {2171,13,0,0x2266}, {2184,11,0,0x2276},
	{2195,8,0,0x2AA1}, {2203,14,0,0x2A7D}, {2217,9,0,0x2272}, {2226,3,0,0x1D50F}, {2229,2,0,0x22D8}, {2231,10,0,0x21DA},
	{2241,6,0,0x13F}, {2247,13,0,0x27F5}, {2260,18,0,0x27F7}, {2278,14,0,0x27F6}, {2292,13,0,0x27F8}, {2305,18,0,0x27FA},
	{2323,14,0,0x27F9}, {2337,4,0,0x1D543}, {2341,14,0,0x2199}, {2355,15,0,0x2198}, {2370,4,0,0x2112}, {2374,3,0,0x21B0},
	{2377,6,0,0x141}, {2383,2,0,0x226A}, {2385,3,0,0x2905}, {2388,3,0,0x41C}, {2391,11,0,0x205F}, {2402,9,0,0x2133},
	{2411,3,0,0x1D510}, {2414,9,0,0x2213}, {2423,4,0,0x1D544}, {2427,4,0,0x2133}, {2431,2,0,0x39C}, {2433,4,0,0x40A},
	{2437,6,0,0x143}, {2443,6,0,0x147}, {2449,6,0,0x145}, {2455,3,0,0x41D}, {2458,19,0,0x200B}, {2477,18,0,0x200B},
	{2495,17,0,0x200B}, {2512,21,0,0x200B}, {2533,20,0,0x226B}, {2553,14,0,0x226A}, {2567,7,0,0xA}, {2574,3,0,0x1D511},
	{2577,7,0,0x2060}, {2584,16,0,0xA0}, {2600,4,0,0x2115}, {2604,3,0,0x2AEC}, {2607,12,0,0x2262}, {2619,9,0,0x226D},
	{2628,20,0,0x2226}, {2648,10,0,0x2209}, {2658,8,0,0x2260}, {2666,13,4,0x2242}, {2679,9,0,0x2204}, {2688,10,0,0x226F},
	{2698,15,0,0x2271}, {2713,19,4,0x2267}, {2732,17,4,0x226B}, {2749,14,0,0x2279}, {2763,20,4,0x2A7E},
	{2783,15,0,0x2275}, {2798,15,4,0x224E}, {2813,12,4,0x224F}, {2825,15,0,0x22EA}, {2840,18,4,0x29CF},
	{2858,20,0,0x22EC}, {2878,7,0,0x226E}, {2885,12,0,0x2270}, {2897,14,0,0x2278}, {2911,11,4,0x226A}, {2922,17,4,0x2A7D},
	{2939,12,0,0x2274}, {2951,23,4,0x2AA2}, {2974,17,4,0x2AA1}, {2991,11,0,0x2280}, {3002,16,4,0x2AAF},
	{3018,21,0,0x22E0}, {3039,17,0,0x220C}, {3056,16,0,0x22EB}, {3072,19,4,0x29D0}, {3091,21,0,0x22ED},
	{3112,15,4,0x228F}, {3127,20,0,0x22E2}, {3147,17,4,0x2290}, {3164,22,0,0x22E3}, {3186,9,6,0x2282}, {3195,14,0,0x2288},
	{3209,11,0,0x2281}, {3220,16,4,0x2AB0}, {3236,21,0,0x22E1}, {3257,16,4,0x227F}, {3273,11,6,0x2283},
	{3284,16,0,0x2289}, {3300,8,0,0x2241}, {3308,13,0,0x2244}, {3321,17,0,0x2247}, {3338,13,0,0x2249}, {3351,14,0,0x2224},
	{3365,4,0,0x1D4A9}, {3369,6,16,0xD1}, {3375,2,0,0x39D}, {3377,5,0,0x152}, {3382,6,16,0xD3}, {3388,5,16,0xD4},
	{3393,3,0,0x41E}, {3396,6,0,0x150}, {3402,3,0,0x1D512}, {3405,6,16,0xD2}, {3411,5,0,0x14C}, {3416,5,0,0x3A9},
	{3421,7,0,0x39F}, {3428,4,0,0x1D546}, {3432,20,0,0x201C}, {3452,14,0,0x2018}, {3466,2,0,0x2A54}, {3468,4,0,0x1D4AA},
	{3472,6,16,0xD8}, {3478,6,16,0xD5}, {3484,6,0,0x2A37}, {3490,4,16,0xD6}, {3494,7,0,0x203E}, {3501,9,0,0x23DE},
	{3510,11,0,0x23B4}, {3521,15,0,0x23DC}, {3536,8,0,0x2202}, {3544,3,0,0x41F}, {3547,3,0,0x1D513}, {3550,3,0,0x3A6},
	{3553,2,0,0x3A0}, {3555,9,0,0xB1}, {3564,13,0,0x210C}, {3577,4,0,0x2119}, {3581,2,0,0x2ABB}, {3583,8,0,0x227A},
	{3591,13,0,0x2AAF}, {3604,18,0,0x227C}, {3622,13,0,0x227E}, {3635,5,0,0x2033}, {3640,7,0,0x220F}, {3647,10,0,0x2237},
	{3657,12,0,0x221D}, {3669,4,0,0x1D4AB}, {3673,3,0,0x3A8}, {3676,4,16,0x22}, {3680,3,0,0x1D514}, {3683,4,0,0x211A},
	{3687,4,0,0x1D4AC}, {3691,5,0,0x2910}, {3696,3,16,0xAE}, {3699,6,0,0x154}, {3705,4,0,0x27EB}, {3709,4,0,0x21A0},
	{3713,6,0,0x2916}, {3719,6,0,0x158}, {3725,6,0,0x156}, {3731,3,0,0x420}, {3734,2,0,0x211C}, {3736,14,0,0x220B},
	{3750,18,0,0x21CB}, {3768,20,0,0x296F}, {3788,3,0,0x211C}, {3791,3,0,0x3A1}, {3794,17,0,0x27E9}, {3811,10,0,0x2192},
	{3821,13,0,0x21E5}, {3834,19,0,0x21C4}, {3853,12,0,0x2309}, {3865,18,0,0x27E7}, {3883,18,0,0x295D},
	{3901,15,0,0x21C2}, {3916,18,0,0x2955}, {3934,10,0,0x230B}, {3944,8,0,0x22A2}, {3952,13,0,0x21A6}, {3965,14,0,0x295B},
	{3979,13,0,0x22B3}, {4096,16,0,0x29D0}, {4112,18,0,0x22B5}, {4130,17,0,0x294F}, {4147,16,0,0x295C},
	{4163,13,0,0x21BE}, {4176,16,0,0x2954}, {4192,11,0,0x21C0}, {4203,14,0,0x2953}, {4217,10,0,0x21D2}, {4227,4,0,0x211D},
	{4231,12,0,0x2970}, {4243,11,0,0x21DB}, {4254,4,0,0x211B}, {4258,3,0,0x21B1}, {4261,11,0,0x29F4}, {4272,6,0,0x429},
	{4278,4,0,0x428}, {4282,6,0,0x42C}, {4288,6,0,0x15A}, {4294,2,0,0x2ABC}, {4296,6,0,0x160}, {4302,6,0,0x15E},
	{4308,5,0,0x15C}, {4313,3,0,0x421}, {4316,3,0,0x1D516}, {4319,14,0,0x2193}, {4333,14,0,0x2190}, {4347,15,0,0x2192},
	{4362,12,0,0x2191}, {4374,5,0,0x3A3}, {4379,11,0,0x2218}, {4390,4,0,0x1D54A}, {4394,4,0,0x221A}, {4398,6,0,0x25A1},
	{4404,18,0,0x2293}, {4422,12,0,0x228F}, {4434,17,0,0x2291}, {4451,14,0,0x2290}, {4465,19,0,0x2292},
	{4484,11,0,0x2294}, {4495,4,0,0x1D4AE}, {4499,4,0,0x22C6}, {4503,3,0,0x22D0}, {4506,6,0,0x22D0}, {4512,11,0,0x2286},
	{4523,8,0,0x227B}, {4531,13,0,0x2AB0}, {4544,18,0,0x227D}, {4562,13,0,0x227F}, {4575,8,0,0x220B}, {4583,3,0,0x2211},
	{4586,3,0,0x22D1}, {4589,8,0,0x2283}, {4597,13,0,0x2287}, {4610,6,0,0x22D1}, {4616,5,16,0xDE}, {4621,5,0,0x2122},
	{4626,5,0,0x40B}, {4631,4,0,0x426}, {4635,3,0,0x9}, {4638,3,0,0x3A4}, {4641,6,0,0x164}, {4647,6,0,0x162},
	{4653,3,0,0x422}, {4656,3,0,0x1D517}, {4659,9,0,0x2234}, {4668,5,0,0x398}, {4673,10,5,0x205F}, {4683,9,0,0x2009},
	{4692,5,0,0x223C}, {4697,10,0,0x2243}, {4707,14,0,0x2245}, {4721,10,0,0x2248}, {4731,4,0,0x1D54B}, {4735,9,0,0x20DB},
	{4744,4,0,0x1D4AF}, {4748,6,0,0x166}, {4754,6,16,0xDA}, {4760,4,0,0x219F}, {4764,8,0,0x2949}, {4772,5,0,0x40E},
	{4777,6,0,0x16C}, {4783,5,16,0xDB}, {4788,3,0,0x423}, {4791,6,0,0x170}, {4797,3,0,0x1D518}, {4800,6,16,0xD9},
	{4806,5,0,0x16A}, {4811,8,0,0x5F}, {4819,10,0,0x23DF}, {4829,12,0,0x23B5}, {4841,16,0,0x23DD}, {4857,5,0,0x22C3},
	{4862,9,0,0x228E}, {4871,5,0,0x172}, {4876,4,0,0x1D54C}, {4880,7,0,0x2191}, {4887,10,0,0x2912}, {4897,16,0,0x21C5},
	{4913,11,0,0x2195}, {4924,13,0,0x296E}, {4937,5,0,0x22A5}, {4942,10,0,0x21A5}, {4952,7,0,0x21D1}, {4959,11,0,0x21D5},
	{4970,14,0,0x2196}, {4984,15,0,0x2197}, {4999,4,0,0x3D2}, {5003,7,0,0x3A5}, {5010,5,0,0x16E}, {5015,4,0,0x1D4B0},
	{5019,6,0,0x168}, {5025,4,16,0xDC}, {5029,5,0,0x22AB}, {5034,4,0,0x2AEB}, {5038,3,0,0x412}, {5041,5,0,0x22A9},
	{5046,6,0,0x2AE6}, {5052,3,0,0x22C1}, {5055,6,0,0x2016}, {5061,4,0,0x2016}, {5065,11,0,0x2223}, {5076,12,0,0x7C},
	{5088,17,0,0x2758}, {5105,13,0,0x2240}, {5118,13,0,0x200A}, {5131,3,0,0x1D519}, {5134,4,0,0x1D54D},
	{5138,4,0,0x1D4B1}, {5142,6,0,0x22AA}, {5148,5,0,0x174}, {5153,5,0,0x22C0}, {5158,3,0,0x1D51A}, {5161,4,0,0x1D54E},
	{5165,4,0,0x1D4B2}, {5169,3,0,0x1D51B}, {5172,2,0,0x39E}, {5174,4,0,0x1D54F}, {5178,4,0,0x1D4B3}, {5182,4,0,0x42F},
	{5186,4,0,0x407}, {5190,4,0,0x42E}, {5194,6,16,0xDD}, {5200,5,0,0x176}, {5205,3,0,0x42B}, {5208,3,0,0x1D51C},
	{5211,4,0,0x1D550}, {5215,4,0,0x1D4B4}, {5219,4,0,0x178}, {5223,4,0,0x416}, {5227,6,0,0x179}, {5233,6,0,0x17D},
	{5239,3,0,0x417}, {5242,4,0,0x17B}, {5246,14,0,0x200B}, {5260,4,0,0x396}, {5264,3,0,0x2128}, {5267,4,0,0x2124},
	{5271,4,0,0x1D4B5}, {5275,6,16,0xE1}, {5281,6,0,0x103}, {5287,2,0,0x223E}, {5289,3,3,0x223E}, {5292,3,0,0x223F},
	{5295,5,16,0xE2}, {5300,5,16,0xB4}, {5305,3,0,0x430}, {5308,5,16,0xE6}, {5313,2,0,0x2061}, {5315,3,0,0x1D51E},
	{5318,6,16,0xE0}, {5324,7,0,0x2135}, {5331,5,0,0x2135}, {5336,5,0,0x3B1}, {5341,5,0,0x101}, {5346,5,0,0x2A3F},
	{5351,3,16,0x26}, {5354,3,0,0x2227}, {5357,6,0,0x2A55}, {5363,4,0,0x2A5C}, {5367,8,0,0x2A58}, {5375,4,0,0x2A5A},
	{5379,3,0,0x2220}, {5382,4,0,0x29A4}, {5386,5,0,0x2220}, {5391,6,0,0x2221}, {5397,8,0,0x29A8}, {5405,8,0,0x29A9},
	{5413,8,0,0x29AA}, {5421,8,0,0x29AB}, {5429,8,0,0x29AC}, {5437,8,0,0x29AD}, {5445,8,0,0x29AE}, {5453,8,0,0x29AF},
	{5461,5,0,0x221F}, {5466,7,0,0x22BE}, {5473,8,0,0x299D}, {5481,6,0,0x2222}, {5487,5,0,0xC5}, {5492,7,0,0x237C},
	{5499,5,0,0x105}, {5504,4,0,0x1D552}, {5508,2,0,0x2248}, {5510,3,0,0x2A70}, {5513,6,0,0x2A6F}, {5519,3,0,0x224A},
	{5522,4,0,0x224B}, {5526,4,0,0x27}, {5530,6,0,0x2248}, {5536,8,0,0x224A}, {5544,5,16,0xE5}, {5549,4,0,0x1D4B6},
	{5553,3,0,0x2A}, {5556,5,0,0x2248}, {5561,7,0,0x224D}, {5568,6,16,0xE3}, {5574,4,16,0xE4}, {5578,8,0,0x2233},
	{5586,5,0,0x2A11}, {5591,4,0,0x2AED}, {5595,8,0,0x224C}, {5603,11,0,0x3F6}, {5614,9,0,0x2035}, {5623,7,0,0x223D},
	{5630,9,0,0x22CD}, {5639,6,0,0x22BD}, {5645,6,0,0x2305}, {5651,8,0,0x2305}, {5659,4,0,0x23B5}, {5663,8,0,0x23B6},
	{5671,5,0,0x224C}, {5676,3,0,0x431}, {5679,5,0,0x201E}, {5684,6,0,0x2235}, {5690,7,0,0x2235}, {5697,7,0,0x29B0},
	{5704,5,0,0x3F6}, {5709,6,0,0x212C}, {5715,4,0,0x3B2}, {5719,4,0,0x2136}, {5723,7,0,0x226C}, {5730,3,0,0x1D51F},
	{5733,6,0,0x22C2}, {5739,7,0,0x25EF}, {5746,6,0,0x22C3}, {5752,7,0,0x2A00}, {5759,8,0,0x2A01}, {5767,9,0,0x2A02},
	{5776,8,0,0x2A06}, {5784,7,0,0x2605}, {5791,15,0,0x25BD}, {5806,13,0,0x25B3}, {5819,8,0,0x2A04}, {5827,6,0,0x22C1},
	{5833,8,0,0x22C0}, {5841,6,0,0x290D}, {5847,12,0,0x29EB}, {5859,11,0,0x25AA}, {5870,13,0,0x25B4}, {5883,17,0,0x25BE},
	{5900,17,0,0x25C2}, {5917,18,0,0x25B8}, {5935,5,0,0x2423}, {5940,5,0,0x2592}, {5945,5,0,0x2591}, {5950,5,0,0x2593},
	{5955,5,0,0x2588}, {5960,3,7,0x3D}, {5963,7,7,0x2261}, {5970,4,0,0x2310}, {5974,4,0,0x1D553}, {5978,3,0,0x22A5},
	{5981,6,0,0x22A5}, {5987,6,0,0x22C8}, {5993,5,0,0x2557}, {5998,5,0,0x2554}, {6003,5,0,0x2556}, {6008,5,0,0x2553},
	{6013,4,0,0x2550}, {6017,5,0,0x2566}, {6022,5,0,0x2569}, {6027,5,0,0x2564}, {6032,5,0,0x2567}, {6037,5,0,0x255D},
	{6042,5,0,0x255A}, {6047,5,0,0x255C}, {6052,5,0,0x2559}, {6057,4,0,0x2551}, {6061,5,0,0x256C}, {6066,5,0,0x2563},
	{6071,5,0,0x2560}, {6076,5,0,0x256B}, {6081,5,0,0x2562}, {6086,5,0,0x255F}, {6091,6,0,0x29C9}, {6097,5,0,0x2555},
	{6102,5,0,0x2552}, {6107,5,0,0x2510}, {6112,5,0,0x250C}, {6117,4,0,0x2500}, {6121,5,0,0x2565}, {6126,5,0,0x2568},
	{6131,5,0,0x252C}, {6136,5,0,0x2534}, {6141,8,0,0x229F}, {6149,7,0,0x229E}, {6156,8,0,0x22A0}, {6164,5,0,0x255B},
	{6169,5,0,0x2558}, {6174,5,0,0x2518}, {6179,5,0,0x2514}, {6184,4,0,0x2502}, {6188,5,0,0x256A}, {6193,5,0,0x2561},
	{6198,5,0,0x255E}, {6203,5,0,0x253C}, {6208,5,0,0x2524}, {6213,5,0,0x251C}, {6218,6,0,0x2035}, {6224,5,0,0x2D8},
	{6229,6,16,0xA6}, {6235,4,0,0x1D4B7}, {6239,5,0,0x204F}, {6244,4,0,0x223D}, {6248,5,0,0x22CD}, {6253,4,0,0x5C},
	{6257,5,0,0x29C5}, {6262,8,0,0x27C8}, {6270,4,0,0x2022}, {6274,6,0,0x2022}, {6280,4,0,0x224E}, {6284,5,0,0x2AAE},
	{6289,5,0,0x224F}, {6294,6,0,0x224F}, {6300,6,0,0x107}, {6306,3,0,0x2229}, {6309,6,0,0x2A44}, {6315,8,0,0x2A49},
	{6323,6,0,0x2A4B}, {6329,6,0,0x2A47}, {6335,6,0,0x2A40}, {6341,4,8,0x2229}, {6345,5,0,0x2041}, {6350,5,0,0x2C7},
	{6355,5,0,0x2A4D}, {6360,6,0,0x10D}, {6366,6,16,0xE7}, {6372,5,0,0x109}, {6377,5,0,0x2A4C}, {6382,7,0,0x2A50},
	{6389,4,0,0x10B}, {6393,5,16,0xB8}, {6398,7,0,0x29B2}, {6405,4,16,0xA2}, {6409,9,0,0xB7}, {6418,3,0,0x1D520},
	{6421,4,0,0x447}, {6425,5,0,0x2713}, {6430,9,0,0x2713}, {6439,3,0,0x3C7}, {6442,3,0,0x25CB}, {6445,4,0,0x29C3},
	{6449,4,0,0x2C6}, {6453,6,0,0x2257}, {6459,15,0,0x21BA}, {6474,16,0,0x21BB}, {6490,8,0,0xAE}, {6498,8,0,0x24C8},
	{6506,10,0,0x229B}, {6516,11,0,0x229A}, {6527,11,0,0x229D}, {6538,4,0,0x2257}, {6542,8,0,0x2A10}, {6550,6,0,0x2AEF},
	{6556,7,0,0x29C2}, {6563,5,0,0x2663}, {6568,8,0,0x2663}, {6576,5,0,0x3A}, {6581,6,0,0x2254}, {6587,7,0,0x2254},
	{6594,5,0,0x2C}, {6599,6,0,0x40}, {6605,4,0,0x2201}, {6609,6,0,0x2218}, {6615,10,0,0x2201}, {6625,9,0,0x2102},
	{6634,4,0,0x2245}, {6638,7,0,0x2A6D}, {6645,6,0,0x222E}, {6651,4,0,0x1D554}, {6655,6,0,0x2210}, {6661,4,16,0xA9},
	{6665,6,0,0x2117}, {6671,5,0,0x21B5}, {6676,5,0,0x2717}, {6681,4,0,0x1D4B8}, {6685,4,0,0x2ACF}, {6689,5,0,0x2AD1},
	{6694,4,0,0x2AD0}, {6698,5,0,0x2AD2}, {6703,5,0,0x22EF}, {6708,7,0,0x2938}, {6715,7,0,0x2935}, {6722,5,0,0x22DE},
	{6727,5,0,0x22DF}, {6732,6,0,0x21B6}, {6738,7,0,0x293D}, {6745,3,0,0x222A}, {6748,8,0,0x2A48}, {6756,6,0,0x2A46},
	{6762,6,0,0x2A4A}, {6768,6,0,0x228D}, {6774,5,0,0x2A45}, {6779,4,8,0x222A}, {6783,6,0,0x21B7}, {6789,7,0,0x293C},
	{6796,11,0,0x22DE}, {6807,11,0,0x22DF}, {6818,8,0,0x22CE}, {6826,10,0,0x22CF}, {6836,6,16,0xA4}, {6842,14,0,0x21B6},
	{6856,15,0,0x21B7}, {6871,5,0,0x22CE}, {6876,5,0,0x22CF}, {6881,8,0,0x2232}, {6889,5,0,0x2231}, {6894,6,0,0x232D},
	{6900,4,0,0x21D3}, {6904,4,0,0x2965}, {6908,6,0,0x2020}, {6914,6,0,0x2138}, {6920,4,0,0x2193}, {6924,4,0,0x2010},
	{6928,5,0,0x22A3}, {6933,7,0,0x290F}, {6940,5,0,0x2DD}, {6945,6,0,0x10F}, {6951,3,0,0x434}, {6954,2,0,0x2146},
	{6956,7,0,0x2021}, {6963,5,0,0x21CA}, {6968,7,0,0x2A77}, {6975,3,16,0xB0}, {6978,5,0,0x3B4}, {6983,7,0,0x29B1},
	{6990,6,0,0x297F}, {6996,3,0,0x1D521}, {6999,5,0,0x21C3}, {7004,5,0,0x21C2}, {7009,4,0,0x22C4}, {7013,7,0,0x22C4},
	{7020,11,0,0x2666}, {7031,5,0,0x2666}, {7036,3,0,0xA8}, {7039,7,0,0x3DD}, {7046,5,0,0x22F2}, {7051,3,0,0xF7},
	{7054,6,16,0xF7}, {7060,13,0,0x22C7}, {7073,6,0,0x22C7}, {7079,4,0,0x452}, {7083,6,0,0x231E}, {7089,6,0,0x230D},
	{7095,6,0,0x24}, {7101,4,0,0x1D555}, {7105,3,0,0x2D9}, {7108,5,0,0x2250}, {7113,8,0,0x2251}, {7121,8,0,0x2238},
	{7129,7,0,0x2214}, {7136,9,0,0x22A1}, {7145,14,0,0x2306}, {7159,9,0,0x2193}, {7168,14,0,0x21CA}, {7182,15,0,0x21C3},
	{7197,16,0,0x21C2}, {7213,8,0,0x2910}, {7221,6,0,0x231F}, {7227,6,0,0x230C}, {7233,4,0,0x1D4B9}, {7237,4,0,0x455},
	{7241,4,0,0x29F6}, {7245,6,0,0x111}, {7251,5,0,0x22F1}, {7256,4,0,0x25BF}, {7260,5,0,0x25BE}, {7265,5,0,0x21F5},
	{7270,5,0,0x296F}, {7275,7,0,0x29A6}, {7282,4,0,0x45F}, {7286,8,0,0x27FF}, {7294,5,0,0x2A77}, {7299,4,0,0x2251},
	{7303,6,16,0xE9}, {7309,6,0,0x2A6E}, {7315,6,0,0x11B}, {7321,4,0,0x2256}, {7325,5,16,0xEA}, {7330,6,0,0x2255},
	{7336,3,0,0x44D}, {7339,4,0,0x117}, {7343,2,0,0x2147}, {7345,5,0,0x2252}, {7350,3,0,0x1D522}, {7353,2,0,0x2A9A},
	{7355,6,16,0xE8}, {7361,3,0,0x2A96}, {7364,6,0,0x2A98}, {7370,2,0,0x2A99}, {7372,8,0,0x23E7}, {7380,3,0,0x2113},
	{7383,3,0,0x2A95}, {7386,6,0,0x2A97}, {7392,5,0,0x113}, {7397,5,0,0x2205}, {7402,8,0,0x2205}, {7410,6,0,0x2205},
	{7416,4,0,0x2003}, {7420,6,0,0x2004}, {7426,6,0,0x2005}, {7432,3,0,0x14B}, {7435,4,0,0x2002}, {7439,5,0,0x119},
	{7444,4,0,0x1D556}, {7448,4,0,0x22D5}, {7452,6,0,0x29E3}, {7458,5,0,0x2A71}, {7463,4,0,0x3B5}, {7467,7,0,0x3B5},
	{7474,5,0,0x3F5}, {7479,6,0,0x2256}, {7485,7,0,0x2255}, {7492,5,0,0x2242}, {7497,10,0,0x2A96}, {7507,11,0,0x2A95},
	{7518,6,0,0x3D}, {7524,6,0,0x225F}, {7530,5,0,0x2261}, {7535,7,0,0x2A78}, {7542,8,0,0x29E5}, {7550,5,0,0x2253},
	{7555,5,0,0x2971}, {7560,4,0,0x212F}, {7564,5,0,0x2250}, {7569,4,0,0x2242}, {7573,3,0,0x3B7}, {7576,3,16,0xF0},
	{7579,4,16,0xEB}, {7583,4,0,0x20AC}, {7587,4,0,0x21}, {7591,5,0,0x2203}, {7596,11,0,0x2130}, {7607,12,0,0x2147},
	{7619,13,0,0x2252}, {7632,3,0,0x444}, {7635,6,0,0x2640}, {7641,6,0,0xFB03}, {7647,5,0,0xFB00}, {7652,6,0,0xFB04},
	{7658,3,0,0x1D523}, {7661,5,0,0xFB01}, {7666,5,1,0x66}, {7671,4,0,0x266D}, {7675,5,0,0xFB02}, {7680,5,0,0x25B1},
	{7685,4,0,0x192}, {7689,4,0,0x1D557}, {7693,6,0,0x2200}, {7699,4,0,0x22D4}, {7703,5,0,0x2AD9}, {7708,8,0,0x2A0D},
	{7716,6,16,0xBD}, {7722,6,0,0x2153}, {7728,6,16,0xBC}, {7734,6,0,0x2155}, {7740,6,0,0x2159}, {7746,6,0,0x215B},
	{7752,6,0,0x2154}, {7758,6,0,0x2156}, {7764,6,16,0xBE}, {7770,6,0,0x2157}, {7776,6,0,0x215C}, {7782,6,0,0x2158},
	{7788,6,0,0x215A}, {7794,6,0,0x215D}, {7800,6,0,0x215E}, {7806,5,0,0x2044}, {7811,5,0,0x2322}, {7816,4,0,0x1D4BB},
	{7820,2,0,0x2267}, {7822,3,0,0x2A8C}, {7825,6,0,0x1F5}, {7831,5,0,0x3B3}, {7836,6,0,0x3DD}, {7842,3,0,0x2A86},
	{7845,6,0,0x11F}, {7851,5,0,0x11D}, {7856,3,0,0x433}, {7859,4,0,0x121}, {7863,2,0,0x2265}, {7865,3,0,0x22DB},
	{7868,3,0,0x2265}, {7871,4,0,0x2267}, {7875,8,0,0x2A7E}, {7883,3,0,0x2A7E}, {7886,5,0,0x2AA9}, {7891,6,0,0x2A80},
	{7897,7,0,0x2A82}, {7904,8,0,0x2A84}, {7912,4,8,0x22DB}, {7916,6,0,0x2A94}, {7922,3,0,0x1D524}, {7925,2,0,0x226B},
	{7927,3,0,0x22D9}, {7930,5,0,0x2137}, {7935,4,0,0x453}, {7939,2,0,0x2277}, {7941,3,0,0x2A92}, {7944,3,0,0x2AA5},
	{7947,3,0,0x2AA4}, {7950,3,0,0x2269}, {7953,4,0,0x2A8A}, {7957,8,0,0x2A8A}, {7965,3,0,0x2A88}, {7968,4,0,0x2A88},
	{7972,5,0,0x2269}, {7977,5,0,0x22E7}, {7982,4,0,0x1D558}, {7986,5,0,0x60}, {7991,4,0,0x210A}, {7995,4,0,0x2273},
	{7999,5,0,0x2A8E}, {8004,5,0,0x2A90}, {8009,2,16,0x3E}, {8011,4,0,0x2AA7}, {8015,5,0,0x2A7A}, {8020,5,0,0x22D7},
	{8025,6,0,0x2995}, {8031,7,0,0x2A7C}, {8038,9,0,0x2A86}, {8047,6,0,0x2978}, {8053,6,0,0x22D7}, {8059,9,0,0x22DB},
	{8068,10,0,0x2A8C}, {8078,7,0,0x2277}, {8085,6,0,0x2273}, {8192,9,8,0x2269}, {8201,4,8,0x2269}, {8205,4,0,0x21D4},
	{8209,6,0,0x200A}, {8215,4,0,0xBD}, {8219,6,0,0x210B}, {8225,6,0,0x44A}, {8231,4,0,0x2194}, {8235,7,0,0x2948},
	{8242,5,0,0x21AD}, {8247,4,0,0x210F}, {8251,5,0,0x125}, {8256,6,0,0x2665}, {8262,9,0,0x2665}, {8271,6,0,0x2026},
	{8277,6,0,0x22B9}, {8283,3,0,0x1D525}, {8286,8,0,0x2925}, {8294,8,0,0x2926}, {8302,5,0,0x21FF}, {8307,6,0,0x223B},
	{8313,13,0,0x21A9}, {8326,14,0,0x21AA}, {8340,4,0,0x1D559}, {8344,6,0,0x2015}, {8350,4,0,0x1D4BD}, {8354,6,0,0x210F},
	{8360,6,0,0x127}, {8366,6,0,0x2043}, {8372,6,0,0x2010}, {8378,6,16,0xED}, {8384,2,0,0x2063}, {8386,5,16,0xEE},
	{8391,3,0,0x438}, {8394,4,0,0x435}, {8398,5,16,0xA1}, {8403,3,0,0x21D4}, {8406,3,0,0x1D526}, {8409,6,16,0xEC},
	{8415,2,0,0x2148}, {8417,6,0,0x2A0C}, {8423,5,0,0x222D}, {8428,6,0,0x29DC}, {8434,5,0,0x2129}, {8439,5,0,0x133},
	{8444,5,0,0x12B}, {8449,5,0,0x2111}, {8454,8,0,0x2110}, {8462,8,0,0x2111}, {8470,5,0,0x131}, {8475,4,0,0x22B7},
	{8479,5,0,0x1B5}, {8484,2,0,0x2208}, {8486,6,0,0x2105}, {8492,5,0,0x221E}, {8497,8,0,0x29DD}, {8505,6,0,0x131},
	{8511,3,0,0x222B}, {8514,6,0,0x22BA}, {8520,8,0,0x2124}, {8528,8,0,0x22BA}, {8536,8,0,0x2A17}, {8544,7,0,0x2A3C},
	{8551,4,0,0x451}, {8555,5,0,0x12F}, {8560,4,0,0x1D55A}, {8564,4,0,0x3B9}, {8568,5,0,0x2A3C}, {8573,6,16,0xBF},
	{8579,4,0,0x1D4BE}, {8583,4,0,0x2208}, {8587,5,0,0x22F9}, {8592,7,0,0x22F5}, {8599,5,0,0x22F4}, {8604,6,0,0x22F3},
	{8610,5,0,0x2208}, {8615,2,0,0x2062}, {8617,6,0,0x129}, {8623,5,0,0x456}, {8628,4,16,0xEF}, {8632,5,0,0x135},
	{8637,3,0,0x439}, {8640,3,0,0x1D527}, {8643,5,0,0x237}, {8648,4,0,0x1D55B}, {8652,4,0,0x1D4BF}, {8656,6,0,0x458},
	{8662,5,0,0x454}, {8667,5,0,0x3BA}, {8672,6,0,0x3F0}, {8678,6,0,0x137}, {8684,3,0,0x43A}, {8687,3,0,0x1D528},
	{8690,6,0,0x138}, {8696,4,0,0x445}, {8700,4,0,0x45C}, {8704,4,0,0x1D55C}, {8708,4,0,0x1D4C0}, {8712,5,0,0x21DA},
	{8717,4,0,0x21D0}, {8721,6,0,0x291B}, {8727,5,0,0x290E}, {8732,2,0,0x2266}, {8734,3,0,0x2A8B}, {8737,4,0,0x2962},
	{8741,6,0,0x13A}, {8747,8,0,0x29B4}, {8755,6,0,0x2112}, {8761,6,0,0x3BB}, {8767,4,0,0x27E8}, {8771,5,0,0x2991},
	{8776,6,0,0x27E8}, {8782,3,0,0x2A85}, {8785,5,16,0xAB}, {8790,4,0,0x2190}, {8794,5,0,0x21E4}, {8799,7,0,0x291F},
	{8806,6,0,0x291D}, {8812,6,0,0x21A9}, {8818,6,0,0x21AB}, {8824,6,0,0x2939}, {8830,7,0,0x2973}, {8837,6,0,0x21A2},
	{8843,3,0,0x2AAB}, {8846,6,0,0x2919}, {8852,4,0,0x2AAD}, {8856,5,8,0x2AAD}, {8861,5,0,0x290C}, {8866,5,0,0x2772},
	{8871,6,0,0x7B}, {8877,6,0,0x5B}, {8883,5,0,0x298B}, {8888,7,0,0x298F}, {8895,7,0,0x298D}, {8902,6,0,0x13E},
	{8908,6,0,0x13C}, {8914,5,0,0x2308}, {8919,4,0,0x7B}, {8923,3,0,0x43B}, {8926,4,0,0x2936}, {8930,5,0,0x201C},
	{8935,6,0,0x201E}, {8941,7,0,0x2967}, {8948,8,0,0x294B}, {8956,4,0,0x21B2}, {8960,2,0,0x2264}, {8962,9,0,0x2190},
	{8971,13,0,0x21A2}, {8984,15,0,0x21BD}, {8999,13,0,0x21BC}, {9012,14,0,0x21C7}, {9026,14,0,0x2194},
	{9040,15,0,0x21C6}, {9055,17,0,0x21CB}, {9072,19,0,0x21AD}, {9091,14,0,0x22CB}, {9105,3,0,0x22DA}, {9108,3,0,0x2264},
	{9111,4,0,0x2266}, {9115,8,0,0x2A7D}, {9123,3,0,0x2A7D}, {9126,5,0,0x2AA8}, {9131,6,0,0x2A7F}, {9137,7,0,0x2A81},
	{9144,8,0,0x2A83}, {9152,4,8,0x22DA}, {9156,6,0,0x2A93}, {9162,10,0,0x2A85}, {9172,7,0,0x22D6}, {9179,9,0,0x22DA},
	{9188,10,0,0x2A8B}, {9198,7,0,0x2276}, {9205,7,0,0x2272}, {9212,6,0,0x297C}, {9218,6,0,0x230A}, {9224,3,0,0x1D529},
	{9227,2,0,0x2276}, {9229,3,0,0x2A91}, {9232,5,0,0x21BD}, {9237,5,0,0x21BC}, {9242,6,0,0x296A}, {9248,5,0,0x2584},
	{9253,4,0,0x459}, {9257,2,0,0x226A}, {9259,5,0,0x21C7}, {9264,8,0,0x231E}, {9272,6,0,0x296B}, {9278,5,0,0x25FA},
	{9283,6,0,0x140}, {9289,6,0,0x23B0}, {9295,10,0,0x23B0}, {9305,3,0,0x2268}, {9308,4,0,0x2A89}, {9312,8,0,0x2A89},
	{9320,3,0,0x2A87}, {9323,4,0,0x2A87}, {9327,5,0,0x2268}, {9332,5,0,0x22E6}, {9337,5,0,0x27EC}, {9342,5,0,0x21FD},
	{9347,5,0,0x27E6}, {9352,13,0,0x27F5}, {9365,18,0,0x27F7}, {9383,10,0,0x27FC}, {9393,14,0,0x27F6}, {9407,13,0,0x21AB},
	{9420,14,0,0x21AC}, {9434,5,0,0x2985}, {9439,4,0,0x1D55D}, {9443,6,0,0x2A2D}, {9449,7,0,0x2A34}, {9456,6,0,0x2217},
	{9462,6,0,0x5F}, {9468,3,0,0x25CA}, {9471,7,0,0x25CA}, {9478,4,0,0x29EB}, {9482,4,0,0x28}, {9486,6,0,0x2993},
	{9492,5,0,0x21C6}, {9497,8,0,0x231F}, {9505,5,0,0x21CB}, {9510,6,0,0x296D}, {9516,3,0,0x200E}, {9519,5,0,0x22BF},
	{9524,6,0,0x2039}, {9530,4,0,0x1D4C1}, {9534,3,0,0x21B0}, {9537,4,0,0x2272}, {9541,5,0,0x2A8D}, {9546,5,0,0x2A8F},
	{9551,4,0,0x5B}, {9555,5,0,0x2018}, {9560,6,0,0x201A}, {9566,6,0,0x142}, {9572,2,16,0x3C}, {9574,4,0,0x2AA6},
	{9578,5,0,0x2A79}, {9583,5,0,0x22D6}, {9588,6,0,0x22CB}, {9594,6,0,0x22C9}, {9600,6,0,0x2976}, {9606,7,0,0x2A7B},
	{9613,6,0,0x2996}, {9619,4,0,0x25C3}, {9623,5,0,0x22B4}, {9628,5,0,0x25C2}, {9633,8,0,0x294A}, {9641,7,0,0x2966},
	{9648,9,8,0x2268}, {9657,4,8,0x2268}, {9661,5,0,0x223A}, {9666,4,16,0xAF}, {9670,4,0,0x2642}, {9674,4,0,0x2720},
	{9678,7,0,0x2720}, {9685,3,0,0x21A6}, {9688,6,0,0x21A6}, {9694,10,0,0x21A7}, {9704,10,0,0x21A4}, {9714,8,0,0x21A5},
	{9722,6,0,0x25AE}, {9728,6,0,0x2A29}, {9734,3,0,0x43C}, {9737,5,0,0x2014}, {9742,13,0,0x2221}, {9755,3,0,0x1D52A},
	{9758,3,0,0x2127}, {9761,5,16,0xB5}, {9766,3,0,0x2223}, {9769,6,0,0x2A}, {9775,6,0,0x2AF0}, {9781,6,16,0xB7},
	{9787,5,0,0x2212}, {9792,6,0,0x229F}, {9798,6,0,0x2238}, {9804,7,0,0x2A2A}, {9811,4,0,0x2ADB}, {9815,4,0,0x2026},
	{9819,6,0,0x2213}, {9825,6,0,0x22A7}, {9831,4,0,0x1D55E}, {9835,2,0,0x2213}, {9837,4,0,0x1D4C2}, {9841,6,0,0x223E},
	{9847,2,0,0x3BC}, {9849,8,0,0x22B8}, {9857,5,0,0x22B8}, {9862,3,4,0x22D9}, {9865,3,6,0x226B}, {9868,4,4,0x226B},
	{9872,10,0,0x21CD}, {9882,15,0,0x21CE}, {9897,3,4,0x22D8}, {9900,3,6,0x226A}, {9903,4,4,0x226A}, {9907,11,0,0x21CF},
	{9918,6,0,0x22AF}, {9924,6,0,0x22AE}, {9930,5,0,0x2207}, {9935,6,0,0x144}, {9941,4,6,0x2220}, {9945,3,0,0x2249},
	{9948,4,4,0x2A70}, {9952,5,4,0x224B}, {9957,5,0,0x149}, {9962,7,0,0x2249}, {9969,5,0,0x266E}, {9974,7,0,0x266E},
	{9981,8,0,0x2115}, {9989,4,16,0xA0}, {9993,5,4,0x224E}, {9998,6,4,0x224F}, {10004,4,0,0x2A43}, {10008,6,0,0x148},
	{10014,6,0,0x146}, {10020,5,0,0x2247}, {10025,8,4,0x2A6D}, {10033,4,0,0x2A42}, {10037,3,0,0x43D}, {10040,5,0,0x2013},
	{10045,2,0,0x2260}, {10047,5,0,0x21D7}, {10052,6,0,0x2924}, {10058,5,0,0x2197}, {10063,7,0,0x2197},
	{10070,5,4,0x2250}, {10075,6,0,0x2262}, {10081,6,0,0x2928}, {10087,5,4,0x2242}, {10092,6,0,0x2204},
	{10098,7,0,0x2204}, {10105,3,0,0x1D52B}, {10108,3,4,0x2267}, {10111,3,0,0x2271}, {10114,4,0,0x2271},
	{10118,5,4,0x2267}, {10123,9,4,0x2A7E}, {10132,4,4,0x2A7E}, {10136,5,0,0x2275}, {10141,3,0,0x226F},
	{10144,4,0,0x226F}, {10148,5,0,0x21CE}, {10153,5,0,0x21AE}, {10158,5,0,0x2AF2}, {10163,2,0,0x220B},
	{10165,3,0,0x22FC}, {10168,4,0,0x22FA}, {10172,3,0,0x220B}, {10175,4,0,0x45A}, {10179,5,0,0x21CD}, {10184,3,4,0x2266},
	{10187,5,0,0x219A}, {10192,4,0,0x2025}, {10196,3,0,0x2270}, {10199,10,0,0x219A}, {10209,15,0,0x21AE},
	{10224,4,0,0x2270}, {10228,5,4,0x2266}, {10233,9,4,0x2A7D}, {10242,4,4,0x2A7D}, {10246,5,0,0x226E},
	{10251,5,0,0x2274}, {10256,3,0,0x226E}, {10259,5,0,0x22EA}, {10264,6,0,0x22EC}, {10270,4,0,0x2224},
	{10274,4,0,0x1D55F}, {10278,3,16,0xAC}, {10281,5,0,0x2209}, {10286,6,4,0x22F9}, {10292,8,4,0x22F5},
	{10300,7,0,0x2209}, {10307,7,0,0x22F7}, {10314,7,0,0x22F6}, {10321,5,0,0x220C}, {10326,7,0,0x220C},
	{10333,7,0,0x22FE}, {10340,7,0,0x22FD}, {10347,4,0,0x2226}, {10351,9,0,0x2226}, {10360,6,7,0x2AFD},
	{10366,5,4,0x2202}, {10371,7,0,0x2A14}, {10378,3,0,0x2280}, {10381,6,0,0x22E0}, {10387,4,4,0x2AAF},
	{10391,5,0,0x2280}, {10396,7,4,0x2AAF}, {10403,5,0,0x21CF}, {10408,5,0,0x219B}, {10413,6,4,0x2933},
	{10419,6,4,0x219D}, {10425,11,0,0x219B}, {10436,5,0,0x22EB}, {10441,6,0,0x22ED}, {10447,3,0,0x2281},
	{10450,6,0,0x22E1}, {10456,4,4,0x2AB0}, {10460,4,0,0x1D4C3}, {10464,9,0,0x2224}, {10473,14,0,0x2226},
	{10487,4,0,0x2241}, {10491,5,0,0x2244}, {10496,6,0,0x2244}, {10502,5,0,0x2224}, {10507,5,0,0x2226},
	{10512,7,0,0x22E2}, {10519,7,0,0x22E3}, {10526,4,0,0x2284}, {10530,5,4,0x2AC5}, {10535,5,0,0x2288},
	{10540,7,6,0x2282}, {10547,9,0,0x2288}, {10556,10,4,0x2AC5}, {10566,5,0,0x2281}, {10571,7,4,0x2AB0},
	{10578,4,0,0x2285}, {10582,5,4,0x2AC6}, {10587,5,0,0x2289}, {10592,7,6,0x2283}, {10599,9,0,0x2289},
	{10608,10,4,0x2AC6}, {10618,4,0,0x2279}, {10622,6,16,0xF1}, {10628,4,0,0x2278}, {10632,13,0,0x22EA},
	{10645,15,0,0x22EC}, {10660,14,0,0x22EB}, {10674,16,0,0x22ED}, {10690,2,0,0x3BD}, {10692,3,0,0x23},
	{10695,6,0,0x2116}, {10701,5,0,0x2007}, {10706,6,0,0x22AD}, {10712,6,0,0x2904}, {10718,4,6,0x224D},
	{10722,6,0,0x22AC}, {10728,4,6,0x2265}, {10732,4,6,0x3E}, {10736,7,0,0x29DE}, {10743,6,0,0x2902}, {10749,4,6,0x2264},
	{10753,4,6,0x3C}, {10757,7,6,0x22B4}, {10764,6,0,0x2903}, {10770,7,6,0x22B5}, {10777,5,6,0x223C}, {10782,5,0,0x21D6},
	{10787,6,0,0x2923}, {10793,5,0,0x2196}, {10798,7,0,0x2196}, {10805,6,0,0x2927}, {10811,2,0,0x24C8}, {10813,6,16,0xF3},
	{10819,4,0,0x229B}, {10823,4,0,0x229A}, {10827,5,16,0xF4}, {10832,3,0,0x43E}, {10835,5,0,0x229D}, {10840,6,0,0x151},
	{10846,4,0,0x2A38}, {10850,4,0,0x2299}, {10854,6,0,0x29BC}, {10860,5,0,0x153}, {10865,5,0,0x29BF},
	{10870,3,0,0x1D52C}, {10873,4,0,0x2DB}, {10877,6,16,0xF2}, {10883,3,0,0x29C1}, {10886,5,0,0x29B5}, {10891,3,0,0x3A9},
	{10894,4,0,0x222E}, {10898,5,0,0x21BA}, {10903,5,0,0x29BE}, {10908,7,0,0x29BB}, {10915,5,0,0x203E},
	{10920,3,0,0x29C0}, {10923,5,0,0x14D}, {10928,5,0,0x3C9}, {10933,7,0,0x3BF}, {10940,4,0,0x29B6}, {10944,6,0,0x2296},
	{10950,4,0,0x1D560}, {10954,4,0,0x29B7}, {10958,5,0,0x29B9}, {10963,5,0,0x2295}, {10968,2,0,0x2228},
	{10970,5,0,0x21BB}, {10975,3,0,0x2A5D}, {10978,5,0,0x2134}, {10983,7,0,0x2134}, {10990,4,16,0xAA}, {10994,4,16,0xBA},
	{10998,6,0,0x22B6}, {11004,4,0,0x2A56}, {11008,7,0,0x2A57}, {11015,3,0,0x2A5B}, {11018,4,0,0x2134}, {11022,6,16,0xF8},
	{11028,4,0,0x2298}, {11032,6,16,0xF5}, {11038,6,0,0x2297}, {11044,8,0,0x2A36}, {11052,4,16,0xF6}, {11056,5,0,0x233D},
	{11061,3,0,0x2225}, {11064,4,16,0xB6}, {11068,8,0,0x2225}, {11076,6,0,0x2AF3}, {11082,5,0,0x2AFD}, {11087,4,0,0x2202},
	{11091,3,0,0x43F}, {11094,6,0,0x25}, {11100,6,0,0x2E}, {11106,6,0,0x2030}, {11112,4,0,0x22A5}, {11116,7,0,0x2031},
	{11123,3,0,0x1D52D}, {11126,3,0,0x3C6}, {11129,4,0,0x3D5}, {11133,6,0,0x2133}, {11139,5,0,0x260E}, {11144,2,0,0x3C0},
	{11146,9,0,0x22D4}, {11155,3,0,0x3D6}, {11158,6,0,0x210F}, {11164,7,0,0x210E}, {11171,6,0,0x210F}, {11177,4,0,0x2B},
	{11181,8,0,0x2A23}, {11189,5,0,0x229E}, {11194,7,0,0x2A22}, {11201,6,0,0x2214}, {11207,6,0,0x2A25},
	{11213,5,0,0x2A72}, {11218,6,16,0xB1}, {11224,7,0,0x2A26}, {11231,7,0,0x2A27}, {11238,2,0,0xB1}, {11240,8,0,0x2A15},
	{11248,4,0,0x1D561}, {11252,5,16,0xA3}, {11257,2,0,0x227A}, {11259,3,0,0x2AB3}, {11262,4,0,0x2AB7},
	{11266,5,0,0x227C}, {11271,3,0,0x2AAF}, {11274,4,0,0x227A}, {11278,10,0,0x2AB7}, {11288,11,0,0x227C},
	{11299,6,0,0x2AAF}, {11305,11,0,0x2AB9}, {11316,8,0,0x2AB5}, {11324,8,0,0x22E8}, {11332,7,0,0x227E},
	{11339,5,0,0x2032}, {11344,6,0,0x2119}, {11350,4,0,0x2AB5}, {11354,5,0,0x2AB9}, {11359,6,0,0x22E8},
	{11365,4,0,0x220F}, {11369,8,0,0x232E}, {11377,8,0,0x2312}, {11385,8,0,0x2313}, {11393,4,0,0x221D},
	{11397,6,0,0x221D}, {11403,5,0,0x227E}, {11408,6,0,0x22B0}, {11414,4,0,0x1D4C5}, {11418,3,0,0x3C8},
	{11421,6,0,0x2008}, {11427,3,0,0x1D52E}, {11430,4,0,0x2A0C}, {11434,4,0,0x1D562}, {11438,6,0,0x2057},
	{11444,4,0,0x1D4C6}, {11448,11,0,0x210D}, {11459,7,0,0x2A16}, {11466,5,0,0x3F}, {11471,7,0,0x225F}, {11478,4,16,0x22},
	{11482,5,0,0x21DB}, {11487,4,0,0x21D2}, {11491,6,0,0x291C}, {11497,5,0,0x290F}, {11502,4,0,0x2964},
	{11506,4,2,0x223D}, {11510,6,0,0x155}, {11516,5,0,0x221A}, {11521,8,0,0x29B3}, {11529,4,0,0x27E9}, {11533,5,0,0x2992},
	{11538,5,0,0x29A5}, {11543,6,0,0x27E9}, {11549,5,16,0xBB}, {11554,4,0,0x2192}, {11558,6,0,0x2975}, {11564,5,0,0x21E5},
	{11569,7,0,0x2920}, {11576,5,0,0x2933}, {11581,6,0,0x291E}, {11587,6,0,0x21AA}, {11593,6,0,0x21AC},
	{11599,6,0,0x2945}, {11605,7,0,0x2974}, {11612,6,0,0x21A3}, {11618,5,0,0x219D}, {11623,6,0,0x291A},
	{11629,5,0,0x2236}, {11634,9,0,0x211A}, {11643,5,0,0x290D}, {11648,5,0,0x2773}, {11653,6,0,0x7D}, {11659,6,0,0x5D},
	{11665,5,0,0x298C}, {11670,7,0,0x298E}, {11677,7,0,0x2990}, {11684,6,0,0x159}, {11690,6,0,0x157}, {11696,5,0,0x2309},
	{11701,4,0,0x7D}, {11705,3,0,0x440}, {11708,4,0,0x2937}, {11712,7,0,0x2969}, {11719,5,0,0x201D}, {11724,6,0,0x201D},
	{11730,4,0,0x21B3}, {11734,4,0,0x211C}, {11738,7,0,0x211B}, {11745,8,0,0x211C}, {11753,5,0,0x211D},
	{11758,4,0,0x25AD}, {11762,3,16,0xAE}, {11765,6,0,0x297D}, {11771,6,0,0x230B}, {11777,3,0,0x1D52F},
	{11780,5,0,0x21C1}, {11785,5,0,0x21C0}, {11790,6,0,0x296C}, {11796,3,0,0x3C1}, {11799,4,0,0x3F1}, {11803,10,0,0x2192},
	{11813,14,0,0x21A3}, {11827,16,0,0x21C1}, {11843,14,0,0x21C0}, {11857,15,0,0x21C4}, {11872,17,0,0x21CC},
	{11889,16,0,0x21C9}, {11905,15,0,0x219D}, {11920,15,0,0x22CC}, {11935,4,0,0x2DA}, {11939,12,0,0x2253},
	{11951,5,0,0x21C4}, {11956,5,0,0x21CC}, {11961,3,0,0x200F}, {11964,6,0,0x23B1}, {11970,10,0,0x23B1},
	{11980,5,0,0x2AEE}, {11985,5,0,0x27ED}, {11990,5,0,0x21FE}, {11995,5,0,0x27E7}, {12000,5,0,0x2986},
	{12005,4,0,0x1D563}, {12009,6,0,0x2A2E}, {12015,7,0,0x2A35}, {12022,4,0,0x29}, {12026,6,0,0x2994}, {12032,8,0,0x2A12},
	{12040,5,0,0x21C9}, {12045,6,0,0x203A}, {12051,4,0,0x1D4C7}, {12055,3,0,0x21B1}, {12058,4,0,0x5D}, {12062,5,0,0x2019},
	{12067,6,0,0x2019}, {12073,6,0,0x22CC}, {12079,6,0,0x22CA}, {12085,4,0,0x25B9}, {12089,5,0,0x22B5},
	{12094,5,0,0x25B8}, {12099,8,0,0x29CE}, {12107,7,0,0x2968}, {12114,2,0,0x211E}, {12116,6,0,0x15B}, {12122,5,0,0x201A},
	{12127,2,0,0x227B}, {12129,3,0,0x2AB4}, {12132,4,0,0x2AB8}, {12136,6,0,0x161}, {12142,5,0,0x227D}, {12147,3,0,0x2AB0},
	{12150,6,0,0x15F}, {12156,5,0,0x15D}, {12161,4,0,0x2AB6}, {12165,5,0,0x2ABA}, {12170,6,0,0x22E9}, {12176,8,0,0x2A13},
	{12184,5,0,0x227F}, {12189,3,0,0x441}, {12288,4,0,0x22C5}, {12292,5,0,0x22A1}, {12297,5,0,0x2A66}, {12302,5,0,0x21D8},
	{12307,6,0,0x2925}, {12313,5,0,0x2198}, {12318,7,0,0x2198}, {12325,4,16,0xA7}, {12329,4,0,0x3B}, {12333,6,0,0x2929},
	{12339,8,0,0x2216}, {12347,5,0,0x2216}, {12352,4,0,0x2736}, {12356,3,0,0x1D530}, {12359,6,0,0x2322},
	{12365,5,0,0x266F}, {12370,6,0,0x449}, {12376,4,0,0x448}, {12380,8,0,0x2223}, {12388,13,0,0x2225}, {12401,3,16,0xAD},
	{12404,5,0,0x3C3}, {12409,6,0,0x3C2}, {12415,6,0,0x3C2}, {12421,3,0,0x223C}, {12424,6,0,0x2A6A}, {12430,4,0,0x2243},
	{12434,5,0,0x2243}, {12439,4,0,0x2A9E}, {12443,5,0,0x2AA0}, {12448,4,0,0x2A9D}, {12452,5,0,0x2A9F},
	{12457,5,0,0x2246}, {12462,7,0,0x2A24}, {12469,7,0,0x2972}, {12476,5,0,0x2190}, {12481,13,0,0x2216},
	{12494,6,0,0x2A33}, {12500,8,0,0x29E4}, {12508,4,0,0x2223}, {12512,5,0,0x2323}, {12517,3,0,0x2AAA},
	{12520,4,0,0x2AAC}, {12524,5,8,0x2AAC}, {12529,6,0,0x44C}, {12535,3,0,0x2F}, {12538,4,0,0x29C4}, {12542,6,0,0x233F},
	{12548,4,0,0x1D564}, {12552,6,0,0x2660}, {12558,9,0,0x2660}, {12567,4,0,0x2225}, {12571,5,0,0x2293},
	{12576,6,8,0x2293}, {12582,5,0,0x2294}, {12587,6,8,0x2294}, {12593,5,0,0x228F}, {12598,6,0,0x2291},
	{12604,8,0,0x228F}, {12612,10,0,0x2291}, {12622,5,0,0x2290}, {12627,6,0,0x2292}, {12633,8,0,0x2290},
	{12641,10,0,0x2292}, {12651,3,0,0x25A1}, {12654,6,0,0x25A1}, {12660,6,0,0x25AA}, {12666,4,0,0x25AA},
	{12670,5,0,0x2192}, {12675,4,0,0x1D4C8}, {12679,6,0,0x2216}, {12685,6,0,0x2323}, {12691,6,0,0x22C6},
	{12697,4,0,0x2606}, {12701,5,0,0x2605}, {12706,15,0,0x3F5}, {12721,11,0,0x3D5}, {12732,5,0,0xAF}, {12737,3,0,0x2282},
	{12740,4,0,0x2AC5}, {12744,6,0,0x2ABD}, {12750,4,0,0x2286}, {12754,7,0,0x2AC3}, {12761,7,0,0x2AC1},
	{12768,5,0,0x2ACB}, {12773,5,0,0x228A}, {12778,7,0,0x2ABF}, {12785,7,0,0x2979}, {12792,6,0,0x2282},
	{12798,8,0,0x2286}, {12806,9,0,0x2AC5}, {12815,9,0,0x228A}, {12824,10,0,0x2ACB}, {12834,6,0,0x2AC7},
	{12840,6,0,0x2AD5}, {12846,6,0,0x2AD3}, {12852,4,0,0x227B}, {12856,10,0,0x2AB8}, {12866,11,0,0x227D},
	{12877,6,0,0x2AB0}, {12883,11,0,0x2ABA}, {12894,8,0,0x2AB6}, {12902,8,0,0x22E9}, {12910,7,0,0x227F},
	{12917,3,0,0x2211}, {12920,4,0,0x266A}, {12924,3,0,0x2283}, {12927,4,16,0xB9}, {12931,4,16,0xB2}, {12935,4,16,0xB3},
	{12939,4,0,0x2AC6}, {12943,6,0,0x2ABE}, {12949,7,0,0x2AD8}, {12956,4,0,0x2287}, {12960,7,0,0x2AC4},
	{12967,7,0,0x27C9}, {12974,7,0,0x2AD7}, {12981,7,0,0x297B}, {12988,7,0,0x2AC2}, {12995,5,0,0x2ACC},
	{13000,5,0,0x228B}, {13005,7,0,0x2AC0}, {13012,6,0,0x2283}, {13018,8,0,0x2287}, {13026,9,0,0x2AC6},
	{13035,9,0,0x228B}, {13044,10,0,0x2ACC}, {13054,6,0,0x2AC8}, {13060,6,0,0x2AD4}, {13066,6,0,0x2AD6},
	{13072,5,0,0x21D9}, {13077,6,0,0x2926}, {13083,5,0,0x2199}, {13088,7,0,0x2199}, {13095,6,0,0x292A}, {13101,5,16,0xDF},
	{13106,6,0,0x2316}, {13112,3,0,0x3C4}, {13115,4,0,0x23B4}, {13119,6,0,0x165}, {13125,6,0,0x163}, {13131,3,0,0x442},
	{13134,4,0,0x20DB}, {13138,6,0,0x2315}, {13144,3,0,0x1D531}, {13147,6,0,0x2234}, {13153,9,0,0x2234},
	{13162,5,0,0x3B8}, {13167,8,0,0x3D1}, {13175,6,0,0x3D1}, {13181,11,0,0x2248}, {13192,8,0,0x223C}, {13200,6,0,0x2009},
	{13206,5,0,0x2248}, {13211,6,0,0x223C}, {13217,5,16,0xFE}, {13222,5,0,0x2DC}, {13227,5,16,0xD7}, {13232,6,0,0x22A0},
	{13238,8,0,0x2A31}, {13246,6,0,0x2A30}, {13252,4,0,0x222D}, {13256,4,0,0x2928}, {13260,3,0,0x22A4},
	{13263,6,0,0x2336}, {13269,6,0,0x2AF1}, {13275,4,0,0x1D565}, {13279,7,0,0x2ADA}, {13286,4,0,0x2929},
	{13290,6,0,0x2034}, {13296,5,0,0x2122}, {13301,8,0,0x25B5}, {13309,12,0,0x25BF}, {13321,12,0,0x25C3},
	{13333,14,0,0x22B4}, {13347,9,0,0x225C}, {13356,13,0,0x25B9}, {13369,15,0,0x22B5}, {13384,6,0,0x25EC},
	{13390,4,0,0x225C}, {13394,8,0,0x2A3A}, {13402,7,0,0x2A39}, {13409,5,0,0x29CD}, {13414,7,0,0x2A3B},
	{13421,8,0,0x23E2}, {13429,4,0,0x1D4C9}, {13433,4,0,0x446}, {13437,5,0,0x45B}, {13442,6,0,0x167}, {13448,5,0,0x226C},
	{13453,16,0,0x219E}, {13469,17,0,0x21A0}, {13486,4,0,0x21D1}, {13490,4,0,0x2963}, {13494,6,16,0xFA},
	{13500,4,0,0x2191}, {13504,5,0,0x45E}, {13509,6,0,0x16D}, {13515,5,16,0xFB}, {13520,3,0,0x443}, {13523,5,0,0x21C5},
	{13528,6,0,0x171}, {13534,5,0,0x296E}, {13539,6,0,0x297E}, {13545,3,0,0x1D532}, {13548,6,16,0xF9}, {13554,5,0,0x21BF},
	{13559,5,0,0x21BE}, {13564,5,0,0x2580}, {13569,6,0,0x231C}, {13575,8,0,0x231C}, {13583,6,0,0x230F},
	{13589,5,0,0x25F8}, {13594,5,0,0x16B}, {13599,3,16,0xA8}, {13602,5,0,0x173}, {13607,4,0,0x1D566}, {13611,7,0,0x2191},
	{13618,11,0,0x2195}, {13629,13,0,0x21BF}, {13642,14,0,0x21BE}, {13656,5,0,0x228E}, {13661,4,0,0x3C5},
	{13665,5,0,0x3D2}, {13670,7,0,0x3C5}, {13677,10,0,0x21C8}, {13687,6,0,0x231D}, {13693,8,0,0x231D}, {13701,6,0,0x230E},
	{13707,5,0,0x16F}, {13712,5,0,0x25F9}, {13717,4,0,0x1D4CA}, {13721,5,0,0x22F0}, {13726,6,0,0x169}, {13732,4,0,0x25B5},
	{13736,5,0,0x25B4}, {13741,5,0,0x21C8}, {13746,4,16,0xFC}, {13750,7,0,0x29A7}, {13757,4,0,0x21D5}, {13761,4,0,0x2AE8},
	{13765,5,0,0x2AE9}, {13770,5,0,0x22A8}, {13775,6,0,0x299C}, {13781,10,0,0x3F5}, {13791,8,0,0x3F0},
	{13799,10,0,0x2205}, {13809,6,0,0x3D5}, {13815,5,0,0x3D6}, {13820,9,0,0x221D}, {13829,4,0,0x2195}, {13833,6,0,0x3F1},
	{13839,8,0,0x3C2}, {13847,12,8,0x228A}, {13859,13,8,0x2ACB}, {13872,12,8,0x228B}, {13884,13,8,0x2ACC},
	{13897,8,0,0x3D1}, {13905,15,0,0x22B2}, {13920,16,0,0x22B3}, {13936,3,0,0x432}, {13939,5,0,0x22A2},
	{13944,3,0,0x2228}, {13947,6,0,0x22BB}, {13953,5,0,0x225A}, {13958,6,0,0x22EE}, {13964,6,0,0x7C}, {13970,4,0,0x7C},
	{13974,3,0,0x1D533}, {13977,5,0,0x22B2}, {13982,5,6,0x2282}, {13987,5,6,0x2283}, {13992,4,0,0x1D567},
	{13996,5,0,0x221D}, {14001,5,0,0x22B3}, {14006,4,0,0x1D4CB}, {14010,6,8,0x2ACB}, {14016,6,8,0x228A},
	{14022,6,8,0x2ACC}, {14028,6,8,0x228B}, {14034,7,0,0x299A}, {14041,5,0,0x175}, {14046,6,0,0x2A5F}, {14052,5,0,0x2227},
	{14057,6,0,0x2259}, {14063,6,0,0x2118}, {14069,3,0,0x1D534}, {14072,4,0,0x1D568}, {14076,2,0,0x2118},
	{14078,2,0,0x2240}, {14080,6,0,0x2240}, {14086,4,0,0x1D4CC}, {14090,4,0,0x22C2}, {14094,5,0,0x25EF},
	{14099,4,0,0x22C3}, {14103,5,0,0x25BD}, {14108,3,0,0x1D535}, {14111,5,0,0x27FA}, {14116,5,0,0x27F7},
	{14121,2,0,0x3BE}, {14123,5,0,0x27F8}, {14128,5,0,0x27F5}, {14133,4,0,0x27FC}, {14137,4,0,0x22FB}, {14141,5,0,0x2A00},
	{14146,4,0,0x1D569}, {14150,6,0,0x2A01}, {14156,6,0,0x2A02}, {14162,5,0,0x27F9}, {14167,5,0,0x27F6},
	{14172,4,0,0x1D4CD}, {14176,6,0,0x2A06}, {14182,6,0,0x2A04}, {14188,5,0,0x25B3}, {14193,4,0,0x22C1},
	{14197,6,0,0x22C0}, {14203,6,16,0xFD}, {14209,4,0,0x44F}, {14213,5,0,0x177}, {14218,3,0,0x44B}, {14221,3,16,0xA5},
	{14224,3,0,0x1D536}, {14227,4,0,0x457}, {14231,4,0,0x1D56A}, {14235,4,0,0x1D4CE}, {14239,4,0,0x44E},
	{14243,4,16,0xFF}, {14247,6,0,0x17A}, {14253,6,0,0x17E}, {14259,3,0,0x437}, {14262,4,0,0x17C}, {14266,6,0,0x2128},
	{14272,4,0,0x3B6}, {14276,3,0,0x1D537}, {14279,4,0,0x436}, {14283,7,0,0x21DD}, {14290,4,0,0x1D56B},
	{14294,4,0,0x1D4CF}, {14298,3,0,0x200D}, {14301,4,0,0x200C},
};

/* By the hash of a name: its row, from 1, or of one that took the place before. */
static const uint16_t charref_slots[CHARREF_SLOTS] = {
	0, 0, 0, 827, 1025, 0, 0, 0, 896, 1083, 1241, 0, 0, 0, 124, 51, 41, 1569, 0, 814, 1384, 0, 136, 873, 1125, 0, 0, 0, 0,
	1807, 0, 0, 0, 0, 0, 0, 474, 0, 0, 718, 556, 775, 919, 1588, 0, 0, 0, 910, 117, 0, 592, 1403, 9, 1412, 1566, 0, 0,
	543, 765, 439, 438, 0, 0, 0, 0, 0, 0, 0, 561, 0, 0, 0, 106, 0, 1334, 1796, 119, 1296, 280, 1895, 1957, 0, 0, 0, 0, 0,
	0, 1292, 0, 1541, 0, 0, 1854, 0, 0, 1894, 0, 1556, 1902, 1114, 1002, 2084, 0, 0, 0, 0, 2113, 0, 0, 0, 0, 1893, 0, 69,
	0, 0, 0, 121, 0, 0, 0, 0, 0, 0, 505, 0, 2093, 1341, 0, 97, 89, 1492, 1670, 263, 0, 0, 0, 0, 8, 892, 0, 0, 1374, 964,
	0, 0, 140, 0, 0, 99, 0, 0, 1824, 36, 1962, 2008, 0, 1665, 0, 0, 840, 0, 383, 1149, 0, 0, 0, 503, 500, 795, 1166, 1420,
	1440, 0, 0, 693, 393, 413, 818, 1467, 1508, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1233, 1909, 0, 0, 0, 823, 1219, 643, 1482,
	1901, 0, 0, 0, 165, 0, 0, 0, 0, 1250, 861, 0, 239, 465, 1264, 1603, 0, 0, 1941, 0, 1599, 2072, 1520, 1535, 0, 0, 622,
	0, 1255, 0, 0, 1517, 1287, 1260, 1441, 0, 2004, 0, 551, 0, 0, 0, 617, 0, 2125, 0, 1245, 1489, 0, 1256, 0, 0, 143, 317,
	0, 2032, 687, 0, 0, 803, 0, 1705, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1540, 0, 930, 2094, 185, 0, 893, 0, 0, 1388, 276, 1092,
	1487, 1802, 0, 0, 0, 0, 0, 0, 0, 654, 0, 0, 1929, 1701, 2012, 0, 0, 582, 651, 0, 0, 0, 1036, 2045, 0, 0, 0, 0, 0, 0,
	0, 2005, 1875, 2090, 0, 0, 1379, 0, 0, 0, 0, 340, 0, 971, 1029, 1366, 0, 0, 0, 0, 0, 0, 0, 1745, 205, 1837, 0, 0, 0,
	1470, 767, 0, 0, 0, 0, 2104, 0, 1918, 0, 1148, 1731, 1039, 0, 0, 0, 26, 0, 0, 0, 0, 429, 1710, 0, 0, 0, 265, 0, 0, 0,
	0, 0, 0, 923, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 61, 0, 0, 0, 0, 0, 0, 955, 0, 0, 0, 0, 288, 1202, 522, 2078, 0, 452, 0,
	0, 0, 978, 297, 1426, 1170, 370, 507, 1375, 0, 0, 0, 204, 0, 784, 0, 0, 0, 0, 1305, 207, 374, 589, 0, 0, 1530, 201, 0,
	557, 611, 991, 1220, 1367, 0, 0, 0, 1449, 415, 0, 1070, 0, 1380, 1926, 1320, 1030, 0, 602, 2069, 274, 0, 0, 0, 0, 0,
	0, 368, 1378, 618, 2070, 0, 616, 637, 943, 1882, 0, 1251, 264, 504, 641, 801, 1418, 0, 0, 0, 0, 0, 1081, 0, 0, 0, 197,
	0, 307, 2079, 1034, 1176, 1994, 0, 107, 1218, 0, 0, 1865, 0, 0, 0, 0, 0, 0, 0, 0, 0, 764, 660, 1878, 538, 1356, 0,
	335, 0, 0, 0, 650, 301, 0, 690, 1397, 480, 414, 1998, 575, 1639, 0, 365, 1891, 2080, 0, 40, 999, 1953, 484, 0, 0, 321,
	0, 0, 82, 1229, 0, 753, 0, 0, 0, 1688, 0, 347, 145, 1911, 0, 33, 825, 0, 2102, 0, 1715, 0, 0, 0, 343, 1654, 607, 0,
	1690, 0, 376, 905, 1427, 1671, 1812, 1294, 0, 0, 747, 0, 0, 0, 333, 0, 0, 0, 132, 1432, 0, 0, 0, 0, 1049, 1457, 0, 0,
	0, 0, 0, 0, 1445, 0, 1729, 0, 1208, 1814, 440, 0, 0, 752, 0, 139, 833, 1093, 1542, 0, 0, 714, 1405, 0, 1446, 0, 0, 0,
	0, 0, 0, 0, 0, 0, 0, 431, 591, 0, 1434, 409, 331, 0, 0, 299, 1512, 1307, 0, 0, 295, 606, 0, 0, 0, 715, 0, 0, 966, 315,
	1443, 111, 816, 130, 0, 0, 0, 0, 0, 0, 0, 146, 1781, 1454, 1643, 0, 1361, 834, 1209, 206, 476, 1475, 1746, 1928, 1637,
	0, 1421, 1419, 1172, 1429, 1437, 1816, 0, 0, 224, 2052, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1117, 1360, 1996, 0, 1726, 0,
	1189, 880, 1532, 645, 938, 1424, 1664, 0, 0, 0, 491, 1328, 213, 0, 0, 1991, 2059, 958, 1982, 0, 652, 0, 1770, 0, 512,
	0, 517, 600, 436, 0, 0, 0, 0, 194, 1848, 2009, 0, 169, 0, 719, 0, 1146, 1549, 0, 0, 0, 0, 12, 1626, 972, 982, 0, 0, 0,
	0, 463, 0, 871, 1439, 0, 373, 1, 300, 180, 545, 1131, 1184, 639, 0, 1313, 0, 0, 0, 0, 2117, 0, 1641, 0, 0, 658, 309,
	609, 1164, 0, 0, 0, 0, 1122, 0, 0, 0, 0, 328, 0, 1709, 748, 151, 0, 0, 1922, 0, 0, 0, 0, 427, 1071, 1856, 0, 2068,
	1001, 0, 2038, 1188, 1425, 0, 28, 0, 1559, 0, 2013, 579, 0, 0, 1084, 0, 1628, 0, 0, 1005, 179, 76, 1955, 0, 1087, 218,
	0, 0, 1990, 2000, 0, 0, 0, 0, 0, 0, 1089, 0, 1252, 3, 0, 0, 0, 0, 2015, 0, 0, 212, 459, 1193, 1733, 94, 1959, 1298,
	1772, 0, 0, 0, 22, 1101, 1162, 1914, 1155, 98, 0, 2089, 0, 2002, 358, 0, 0, 0, 0, 0, 286, 0, 0, 55, 181, 1917, 0, 942,
	1410, 2120, 0, 1752, 87, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1007, 0, 0, 917, 0, 0, 0, 0, 163, 0, 0, 1708, 945,
	1053, 1646, 0, 926, 0, 1385, 1687, 0, 0, 277, 0, 527, 912, 0, 488, 0, 261, 0, 0, 0, 0, 0, 0, 403, 1160, 1985, 0, 0, 0,
	1324, 0, 196, 1040, 1755, 0, 0, 0, 0, 0, 0, 464, 0, 66, 294, 0, 77, 0, 0, 418, 1442, 75, 603, 1465, 1582, 435, 493,
	921, 1683, 1344, 1749, 1206, 2049, 960, 362, 0, 1118, 915, 1009, 433, 1539, 0, 0, 0, 0, 371, 404, 482, 0, 959, 949,
	1190, 1561, 228, 1689, 1243, 1867, 2007, 0, 720, 0, 0, 490, 195, 0, 1052, 754, 422, 0, 0, 0, 0, 0, 0, 0, 0, 289, 0,
	1343, 1652, 1722, 0, 0, 0, 1139, 0, 860, 1225, 0, 0, 0, 508, 0, 0, 0, 0, 0, 0, 756, 918, 0, 0, 14, 732, 0, 0, 0, 0, 0,
	0, 0, 0, 0, 1586, 0, 1057, 0, 0, 821, 1141, 0, 1880, 1692, 0, 0, 1121, 49, 1112, 1719, 0, 1635, 749, 1126, 1625, 0,
	1262, 539, 725, 0, 285, 1879, 0, 1204, 269, 1415, 0, 0, 0, 1270, 0, 0, 0, 695, 0, 0, 2036, 0, 214, 586, 0, 0, 0, 755,
	0, 0, 737, 0, 731, 0, 0, 716, 0, 0, 0, 909, 2021, 948, 974, 1058, 0, 1163, 0, 0, 0, 2060, 0, 0, 531, 0, 0, 620, 364,
	0, 392, 576, 1035, 1516, 738, 138, 1609, 1873, 1948, 287, 717, 920, 1915, 1758, 292, 1958, 2058, 2085, 608, 2097, 666,
	0, 0, 817, 1330, 1228, 1158, 0, 1491, 0, 5, 1207, 0, 0, 270, 856, 1239, 1263, 1300, 1633, 848, 1372, 0, 0, 0, 173, 0,
	20, 2011, 709, 1074, 382, 1596, 1322, 1247, 0, 0, 2106, 0, 1815, 0, 0, 0, 0, 1472, 0, 0, 1232, 183, 1468, 30, 1795,
	1142, 1908, 1753, 590, 1668, 1954, 793, 1205, 1279, 1393, 0, 114, 2075, 0, 1244, 0, 0, 0, 1874, 0, 0, 745, 0, 869,
	1741, 0, 601, 0, 0, 742, 0, 0, 58, 1981, 712, 721, 0, 31, 0, 0, 1042, 0, 0, 254, 330, 2074, 935, 219, 1056, 1819,
	1989, 354, 1481, 2023, 1448, 0, 0, 0, 925, 0, 0, 78, 1210, 1560, 1861, 2086, 0, 1346, 0, 407, 0, 50, 1045, 0, 0, 178,
	976, 1213, 481, 1762, 1881, 1956, 190, 1684, 0, 0, 0, 0, 0, 1312, 750, 0, 570, 203, 400, 726, 824, 402, 1605, 1686,
	922, 470, 1805, 1899, 0, 1038, 1368, 1811, 1983, 0, 0, 0, 1159, 1238, 1667, 1265, 1977, 0, 0, 0, 334, 708, 0, 0, 0, 0,
	1199, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1054, 1100, 804, 1775, 176, 1333, 1345, 1769, 187, 1826, 2107, 0, 0, 1282, 0, 0, 384,
	171, 1044, 1844, 0, 0, 0, 0, 676, 0, 0, 0, 342, 0, 1845, 0, 0, 0, 1248, 0, 1611, 597, 0, 1215, 1939, 1518, 1435, 0, 0,
	293, 941, 703, 420, 46, 655, 1135, 1336, 1371, 43, 1407, 1423, 1951, 0, 664, 0, 0, 1997, 0, 0, 447, 1085, 864, 1713,
	0, 1329, 0, 1309, 1180, 1109, 1952, 0, 0, 0, 526, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1398, 0, 0, 0, 0, 0, 0, 0, 0, 642, 255,
	0, 0, 1533, 251, 0, 0, 0, 1031, 1066, 0, 0, 0, 1041, 0, 994, 1431, 1438, 72, 1797, 1221, 1947, 0, 2105, 0, 385, 2047,
	64, 284, 378, 879, 1323, 1321, 1573, 104, 318, 907, 613, 1943, 2098, 0, 0, 257, 0, 44, 704, 208, 0, 209, 322, 588,
	598, 0, 951, 0, 0, 0, 372, 0, 377, 542, 396, 0, 0, 890, 1629, 743, 2, 0, 0, 0, 722, 0, 110, 349, 410, 914, 148, 757,
	1060, 1937, 1969, 0, 733, 1706, 1616, 0, 0, 448, 568, 159, 1830, 0, 1179, 1584, 1877, 851, 0, 898, 186, 112, 202, 408,
	397, 450, 965, 1281, 1910, 0, 1792, 502, 0, 770, 1598, 471, 729, 1490, 1659, 1694, 1311, 1912, 423, 0, 0, 0, 0, 1064,
	1237, 109, 808, 1592, 0, 0, 0, 0, 0, 1913, 0, 1201, 1900, 1469, 1178, 0, 0, 42, 828, 1258, 1793, 723, 944, 0, 0, 361,
	1266, 278, 0, 35, 783, 0, 0, 0, 1604, 0, 0, 2118, 0, 0, 0, 0, 0, 1335, 0, 577, 0, 0, 0, 1273, 735, 1257, 728, 0, 1798,
	0, 1693, 67, 192, 1771, 323, 1842, 2092, 2110, 1919, 156, 0, 0, 0, 0, 0, 1963, 0, 0, 0, 0, 0, 0, 0, 957, 544, 0, 736,
	1507, 560, 0, 0, 0, 0, 0, 0, 0, 574, 1242, 1389, 1655, 0, 0, 0, 0, 1461, 1593, 961, 1587, 0, 671, 2030, 0, 0, 398, 0,
	0, 0, 0, 0, 2103, 0, 1630, 0, 0, 0, 0, 774, 154, 231, 0, 884, 1059, 1876, 1181, 258, 0, 0, 940, 0, 0, 0, 1813, 0, 0,
	785, 683, 1527, 0, 0, 1080, 24, 0, 0, 0, 59, 1289, 0, 0, 0, 0, 0, 0, 45, 153, 677, 2048, 0, 0, 0, 947, 952, 71, 0, 0,
	63, 0, 0, 0, 0, 0, 0, 1995, 0, 740, 702, 0, 1032, 0, 320, 0, 164, 241, 762, 1314, 1986, 0, 0, 2029, 0, 0, 593, 1077,
	0, 248, 0, 0, 1818, 134, 353, 1290, 1227, 1551, 1717, 768, 0, 572, 954, 2017, 0, 0, 0, 681, 0, 0, 1196, 1640, 0, 0,
	559, 744, 0, 0, 0, 0, 0, 0, 0, 11, 707, 0, 1151, 0, 0, 0, 0, 697, 1317, 0, 0, 724, 1656, 1727, 0, 0, 0, 0, 0, 1896,
	311, 1748, 1576, 0, 1966, 656, 1104, 1568, 1984, 2095, 698, 1327, 1787, 1097, 1123, 198, 4, 1606, 0, 0, 2035, 0, 189,
	0, 772, 0, 1846, 0, 711, 1788, 1510, 0, 0, 0, 0, 0, 1498, 1794, 1833, 0, 0, 0, 0, 0, 0, 1622, 155, 2121, 0, 442, 458,
	980, 968, 0, 0, 0, 1839, 506, 0, 0, 122, 1619, 0, 0, 1231, 0, 846, 789, 1608, 1636, 243, 1860, 0, 578, 975, 2016, 0,
	0, 0, 0, 0, 0, 319, 1017, 497, 1299, 0, 0, 252, 2073, 0, 956, 0, 0, 0, 0, 2064, 0, 787, 0, 0, 1883, 0, 0, 1612, 0, 0,
	2057, 1399, 1043, 250, 1106, 0, 0, 0, 0, 1657, 0, 0, 0, 1458, 80, 2031, 605, 773, 0, 782, 0, 0, 0, 1730, 0, 0, 0,
	1904, 1871, 0, 0, 0, 0, 0, 2071, 0, 0, 338, 1128, 242, 356, 0, 0, 515, 1597, 1460, 0, 0, 1010, 0, 0, 227, 0, 0, 913,
	0, 129, 569, 0, 0, 2006, 1459, 184, 989, 1965, 0, 0, 1553, 0, 0, 0, 0, 0, 673, 0, 988, 1707, 123, 858, 1920, 0, 0,
	981, 534, 0, 1195, 0, 1571, 329, 346, 741, 0, 0, 0, 177, 0, 220, 0, 0, 0, 0, 0, 1416, 306, 345, 870, 0, 730, 451, 950,
	1538, 0, 746, 1271, 1620, 1063, 1869, 0, 1161, 1383, 0, 0, 52, 1278, 0, 0, 532, 1253, 1404, 0, 0, 0, 0, 0, 0, 0, 291,
	1012, 553, 1574, 1888, 0, 987, 0, 0, 0, 1212, 0, 0, 0, 1061, 0, 1013, 211, 0, 0, 487, 0, 375, 540, 876, 1011, 1732,
	667, 1789, 1354, 0, 0, 1014, 1022, 830, 1456, 1931, 2024, 0, 0, 0, 0, 1515, 0, 0, 2040, 0, 444, 1015, 1111, 927, 157,
	1310, 1754, 1790, 0, 0, 366, 0, 0, 0, 91, 1182, 0, 1016, 1987, 0, 0, 1885, 0, 0, 1738, 0, 412, 0, 113, 47, 0, 0, 0,
	791, 0, 0, 0, 1590, 0, 1216, 2081, 266, 479, 1124, 0, 0, 0, 0, 1331, 0, 1020, 0, 1455, 0, 0, 0, 357, 0, 1974, 0, 1050,
	0, 0, 298, 1332, 1585, 1021, 1703, 934, 1938, 0, 832, 416, 547, 0, 1627, 0, 0, 0, 0, 1886, 1565, 0, 0, 0, 0, 0, 86,
	200, 210, 881, 6, 0, 1804, 0, 0, 0, 0, 1140, 0, 399, 509, 0, 986, 0, 1200, 1817, 259, 1988, 862, 2056, 0, 1493, 310,
	1546, 0, 0, 0, 0, 0, 1476, 0, 0, 1558, 0, 653, 0, 0, 565, 1428, 2046, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1853, 0, 0, 776,
	1116, 469, 0, 283, 0, 48, 425, 2051, 1673, 1474, 1934, 1120, 1945, 0, 857, 0, 0, 0, 0, 0, 0, 1269, 0, 108, 56, 279,
	1187, 0, 1976, 0, 0, 1676, 1763, 0, 511, 1069, 1534, 1390, 1743, 0, 0, 1764, 0, 0, 0, 0, 0, 936, 1653, 83, 0, 0, 0,
	215, 734, 636, 853, 1217, 1277, 0, 0, 1150, 0, 0, 0, 0, 0, 0, 0, 996, 0, 494, 0, 0, 0, 868, 16, 282, 0, 0, 0, 0, 0, 0,
	0, 0, 0, 0, 483, 7, 0, 0, 0, 0, 1051, 0, 2054, 0, 0, 0, 0, 152, 771, 1479, 1742, 2041, 327, 1152, 0, 0, 0, 1999, 1936,
	0, 0, 0, 1847, 0, 0, 0, 2124, 359, 0, 1144, 0, 0, 0, 1006, 0, 0, 161, 1132, 1234, 1766, 1614, 0, 0, 0, 446, 0, 386, 0,
	0, 225, 1065, 525, 337, 0, 928, 0, 2119, 0, 0, 0, 150, 1395, 1303, 1466, 0, 0, 528, 967, 1304, 0, 0, 0, 0, 0, 367, 0,
	855, 1275, 0, 2065, 1519, 1575, 1757, 0, 0, 1765, 0, 0, 316, 657, 0, 253, 1600, 2033, 0, 0, 0, 0, 0, 0, 580, 962,
	1156, 1702, 1721, 1129, 0, 0, 0, 0, 0, 0, 0, 0, 38, 0, 0, 0, 1870, 0, 1682, 0, 0, 0, 885, 428, 713, 172, 794, 0, 0, 0,
	0, 10, 0, 419, 2019, 1514, 1400, 1224, 1537, 1572, 0, 0, 852, 0, 895, 0, 0, 0, 0, 0, 0, 0, 460, 649, 0, 1767, 1280, 0,
	675, 18, 1855, 523, 0, 445, 0, 0, 886, 0, 0, 0, 0, 1589, 0, 0, 953, 1921, 2039, 1076, 0, 0, 0, 0, 0, 1924, 0, 985, 0,
	0, 0, 0, 0, 13, 1062, 815, 1226, 1494, 0, 0, 1677, 341, 443, 619, 2115, 2063, 167, 462, 486, 0, 0, 796, 1496, 0, 0, 0,
	1391, 0, 0, 0, 0, 1545, 0, 0, 0, 0, 0, 475, 1675, 807, 0, 233, 162, 0, 640, 0, 0, 0, 0, 0, 0, 1993, 1650, 1736, 0,
	806, 1194, 424, 1495, 1531, 1697, 668, 694, 235, 1836, 1829, 1903, 604, 2083, 788, 1236, 0, 0, 0, 0, 0, 1840, 0, 0,
	680, 0, 0, 0, 781, 786, 434, 973, 889, 0, 0, 0, 0, 0, 96, 1099, 845, 929, 0, 0, 0, 1557, 0, 0, 0, 133, 679, 0, 0, 0,
	1661, 0, 0, 268, 997, 1523, 1949, 0, 0, 0, 0, 0, 1660, 0, 0, 0, 0, 73, 1370, 1923, 1927, 421, 1086, 0, 0, 0, 0, 669,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1666, 0, 0, 0, 0, 0, 1288, 1291, 1452, 581, 237, 1137, 1153, 1751, 1872, 0, 0, 0, 0, 57,
	0, 0, 0, 0, 2027, 2025, 0, 68, 0, 699, 0, 1583, 813, 1800, 1175, 1222, 453, 1680, 2010, 246, 0, 0, 0, 2100, 0, 103,
	638, 0, 685, 1235, 0, 0, 0, 0, 0, 2067, 0, 0, 0, 1127, 0, 0, 1090, 1350, 226, 1563, 1067, 624, 388, 1325, 1621, 1960,
	0, 0, 0, 0, 0, 0, 0, 0, 1136, 0, 120, 899, 0, 843, 1453, 0, 0, 621, 0, 0, 0, 0, 273, 394, 0, 0, 15, 0, 0, 844, 118,
	678, 305, 188, 0, 0, 477, 1110, 1704, 0, 350, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1444, 1992, 1167, 0, 891,
	0, 135, 1503, 0, 454, 0, 0, 0, 0, 634, 381, 810, 0, 0, 0, 0, 308, 1760, 0, 0, 0, 1756, 0, 646, 2087, 1214, 2088, 1562,
	0, 0, 34, 1133, 797, 1916, 1978, 0, 1852, 0, 1230, 0, 0, 0, 0, 1268, 0, 426, 1008, 170, 1223, 1617, 863, 1638, 1851,
	0, 88, 0, 0, 0, 0, 1649, 0, 0, 0, 166, 1504, 0, 160, 240, 21, 0, 0, 993, 0, 0, 0, 351, 0, 1716, 0, 62, 1905, 1157, 0,
	684, 0, 0, 0, 0, 0, 53, 0, 0, 267, 391, 116, 1552, 158, 1570, 1803, 0, 0, 1613, 0, 17, 1347, 1858, 0, 0, 0, 0, 0, 0,
	0, 74, 1154, 1165, 37, 1337, 1935, 495, 1759, 1761, 1564, 1782, 0, 0, 0, 217, 0, 149, 25, 247, 520, 1095, 535, 1524,
	875, 1685, 0, 0, 1486, 1544, 1096, 0, 0, 1862, 0, 585, 0, 0, 2037, 0, 1930, 0, 0, 0, 1387, 1464, 0, 888, 1485, 1980,
	131, 629, 29, 236, 1897, 647, 1602, 0, 387, 0, 314, 1463, 0, 0, 496, 530, 630, 168, 1488, 0, 0, 983, 1838, 1868, 0, 0,
	1115, 1462, 1267, 489, 363, 449, 631, 1364, 1377, 1907, 1979, 0, 850, 0, 0, 998, 0, 0, 2082, 312, 1113, 0, 632, 0, 0,
	126, 1801, 32, 0, 0, 0, 1430, 1555, 0, 0, 0, 0, 0, 437, 0, 0, 0, 336, 0, 820, 995, 809, 0, 0, 0, 0, 1286, 0, 0, 626,
	238, 0, 0, 0, 2062, 0, 1382, 1672, 1695, 0, 1497, 1843, 0, 0, 1580, 627, 0, 584, 623, 0, 0, 478, 1402, 275, 571, 1302,
	0, 0, 1835, 0, 0, 610, 628, 0, 1119, 0, 903, 0, 0, 1447, 1747, 0, 780, 0, 0, 2042, 1355, 0, 902, 0, 0, 0, 0, 182, 533,
	979, 1183, 1634, 0, 0, 0, 0, 0, 0, 1615, 0, 0, 0, 0, 0, 0, 229, 1376, 0, 0, 0, 0, 0, 1363, 0, 521, 0, 1975, 0, 0, 0,
	0, 223, 0, 0, 0, 883, 1186, 0, 1471, 441, 0, 1970, 1776, 0, 0, 0, 1000, 0, 0, 0, 2076, 389, 0, 0, 0, 633, 1055, 0, 0,
	0, 1169, 0, 0, 0, 0, 0, 0, 1567, 0, 1358, 1484, 1525, 567, 877, 0, 0, 0, 0, 222, 0, 0, 401, 411, 0, 0, 127, 79, 1079,
	1528, 1964, 0, 313, 0, 1554, 0, 0, 0, 0, 390, 1138, 1892, 457, 1108, 0, 0, 2055, 1778, 0, 0, 0, 0, 1513, 0, 137, 302,
	1259, 0, 0, 272, 0, 1285, 537, 0, 0, 0, 1249, 1768, 1078, 1700, 2099, 524, 1828, 0, 430, 710, 751, 865, 0, 0, 0, 686,
	0, 0, 1785, 688, 924, 1631, 0, 0, 0, 0, 587, 0, 1203, 147, 1107, 2050, 0, 0, 0, 1699, 355, 1973, 0, 0, 0, 682, 0,
	1925, 1134, 23, 0, 1003, 1728, 546, 0, 0, 380, 324, 779, 1293, 1386, 1720, 689, 758, 455, 558, 405, 612, 0, 0, 1578,
	1033, 0, 0, 0, 0, 125, 0, 0, 0, 0, 0, 1933, 2108, 1168, 0, 0, 1784, 518, 625, 326, 798, 1381, 1859, 0, 0, 0, 0, 0, 0,
	102, 594, 0, 552, 696, 369, 644, 0, 0, 0, 1340, 1349, 0, 867, 1094, 0, 0, 0, 0, 0, 0, 0, 0, 906, 1401, 0, 0, 0, 0, 0,
	0, 701, 498, 0, 0, 0, 90, 1191, 0, 1037, 0, 963, 541, 1348, 281, 670, 1618, 1075, 2122, 456, 1577, 1806, 93, 1648,
	1850, 0, 1505, 1073, 536, 1408, 27, 0, 874, 849, 1739, 0, 0, 1526, 81, 1827, 0, 1906, 0, 0, 0, 1961, 1091, 85, 1547,
	1714, 2044, 0, 778, 1102, 1326, 216, 1501, 1098, 406, 1579, 937, 0, 0, 0, 260, 766, 0, 0, 234, 1365, 0, 878, 2026,
	894, 819, 0, 1522, 1548, 0, 662, 0, 1185, 1594, 0, 1777, 0, 1651, 0, 0, 0, 0, 0, 0, 0, 513, 0, 0, 0, 0, 0, 1799, 0, 0,
	0, 0, 0, 0, 70, 0, 1529, 514, 0, 0, 1774, 0, 466, 1857, 2043, 1450, 826, 1968, 0, 1821, 0, 0, 1352, 548, 2123, 0, 0,
	0, 0, 0, 0, 0, 1864, 529, 0, 1143, 1072, 1698, 0, 0, 0, 0, 0, 2028, 0, 1889, 1662, 1810, 1890, 1946, 665, 0, 0, 245,
	854, 0, 0, 0, 0, 549, 0, 0, 1591, 1581, 1674, 304, 1832, 1351, 1502, 1338, 0, 0, 0, 0, 901, 271, 839, 1171, 2109,
	2014, 1696, 84, 2114, 0, 0, 0, 1342, 1394, 0, 0, 1610, 2020, 0, 0, 0, 0, 2111, 0, 0, 0, 0, 0, 2061, 0, 1406, 1301,
	1601, 0, 1624, 0, 379, 0, 0, 0, 0, 0, 648, 1261, 1339, 348, 615, 1820, 1940, 0, 990, 1369, 1295, 1681, 1506, 1831,
	1417, 739, 939, 1147, 1723, 1834, 0, 0, 1048, 0, 0, 0, 1944, 674, 1276, 1308, 0, 0, 1740, 1887, 859, 900, 792, 0, 635,
	1509, 221, 232, 790, 0, 0, 174, 1595, 1246, 0, 661, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 142, 296, 831, 897, 761, 360, 65,
	595, 1483, 2091, 0, 0, 0, 1499, 0, 468, 0, 0, 1145, 1411, 0, 562, 0, 0, 911, 0, 0, 0, 0, 0, 1357, 1082, 759, 0, 1174,
	1825, 1211, 1809, 244, 1362, 583, 1500, 101, 1478, 1734, 1780, 1967, 2053, 485, 1711, 0, 0, 1353, 659, 769, 2077,
	1480, 432, 1791, 0, 0, 0, 0, 0, 144, 510, 0, 0, 1950, 0, 2018, 1744, 0, 0, 1173, 705, 1373, 0, 290, 0, 0, 563, 193, 0,
	1283, 2066, 0, 332, 0, 0, 1718, 0, 706, 835, 0, 0, 0, 887, 0, 0, 1422, 842, 1632, 0, 0, 0, 1240, 0, 0, 0, 0, 700,
	1841, 2003, 829, 727, 0, 0, 0, 128, 931, 2116, 0, 599, 838, 0, 672, 1647, 0, 0, 1028, 0, 0, 0, 0, 39, 0, 1297, 1712,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 1898, 1068, 0, 1103, 1972, 0, 1105, 1473, 1511, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 92, 555, 0,
	0, 0, 0, 805, 0, 0, 822, 0, 0, 0, 1543, 0, 141, 395, 95, 550, 0, 0, 0, 230, 1272, 663, 1409, 0, 191, 0, 1663, 1413,
	1823, 54, 1197, 1316, 0, 0, 0, 0, 0, 0, 1644, 0, 0, 2001, 0, 0, 977, 1849, 0, 0, 1536, 0, 0, 0, 0, 0, 1018, 175, 904,
	19, 1130, 1274, 1433, 1724, 2101, 1254, 467, 1315, 0, 1047, 1177, 0, 0, 0, 0, 0, 800, 908, 0, 0, 0, 1046, 1783, 0,
	1607, 0, 0, 0, 1019, 933, 0, 872, 799, 0, 0, 0, 2022, 0, 554, 932, 0, 0, 0, 0, 1024, 1884, 0, 0, 0, 0, 2034, 614, 566,
	1027, 692, 1192, 0, 0, 916, 1642, 0, 1737, 105, 882, 1808, 2096, 2112, 0, 1866, 1414, 0, 1359, 0, 519, 812, 970, 1396,
	0, 0, 199, 417, 115, 256, 339, 573, 1521, 1822, 0, 0, 100, 1773, 325, 1023, 1725, 0, 60, 0, 841, 1436, 0, 1004, 1971,
	777, 866, 1088, 461, 596, 1786, 1863, 847, 0, 0, 0, 0, 1451, 0, 473, 1679, 0, 262, 691, 516, 836, 837, 1779, 0, 501,
	0, 499, 1392, 1550, 802, 0, 1678, 0, 1477, 0, 0, 0, 0, 1026, 0, 492, 992, 352, 249, 1932, 0, 984, 0, 0, 0, 760, 0,
	1645, 344, 1735, 0, 0, 0, 0, 303, 1306, 811, 1750, 1284, 1623, 1318, 0, 472, 1319, 1669, 0, 0, 0, 0, 0, 763, 969, 0,
	0, 0, 0, 0, 1658, 564, 1942, 0, 0, 946, 0, 0, 0, 0, 0, 1198, 0, 0, 0, 1691,
};
