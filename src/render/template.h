/* Templates of --format: the directives, and what they write of a link. */
#ifndef RENDER_TEMPLATE_H
#define RENDER_TEMPLATE_H

#include "format.h"

/* URLSIFT_NEEDS_... of a template without a fault. */
unsigned template_needs(const char *template);
/* Writes it for a link, of which `piece` is the first part, or for another reading of it if `alternate` is not NULL. */
void template_put(urlsift_renderer *r, const char *template, const urlsift_piece *piece,
                  const urlsift_alternate *alternate);
/* What `%u` writes. */
void template_put_text(urlsift_renderer *r, const urlsift_link *link, const urlsift_alternate *alternate);

#endif
