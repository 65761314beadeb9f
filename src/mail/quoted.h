/* Quoted-printable: transfer.h says what it is. */
#ifndef MAIL_QUOTED_H
#define MAIL_QUOTED_H

#include "transfer.h"

/* As transfer_decode. */
size_t quoted_decode(struct transfer_state *t, const uint8_t **p, const uint8_t *end, uint8_t *out, size_t room);
/* What is held turned out to be text: it goes to out, at most 64 bytes. */
size_t quoted_let_go(struct transfer_state *t, uint8_t *out);

#endif
