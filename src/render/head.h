/* How the head of every page begins: one of the renderer, and those of a folder. */
#ifndef RENDER_HEAD_H
#define RENDER_HEAD_H

/* Browsers look up the hosts of links in advance, even from a file: a request that the security
 * policy does not stop. */
#define HTML_HEAD "<head><meta charset=\"utf-8\"><meta http-equiv=\"x-dns-prefetch-control\" content=\"off\">"

#endif
