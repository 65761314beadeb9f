/* Templates of --format: the directives, and what they write for a link. */
#ifndef RENDER_TEMPLATE_H
#define RENDER_TEMPLATE_H

#include "format.h"

/* The URLSIFT_NEEDS_ flags of a valid template. */
unsigned template_needs(const char *template);
/* Writes the template for a link, whose first part is `piece`, or for its other reading `alternate` if not NULL. */
void template_put(urlsift_renderer *r, const char *template, const urlsift_piece *piece,
                  const urlsift_alternate *alternate);
/* Writes what `%u` stands for. */
void template_put_text(urlsift_renderer *r, const urlsift_link *link, const urlsift_alternate *alternate);

#endif
