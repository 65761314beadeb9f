#include "bytes.h"

#define C BYTE_CONTROL
#define D BYTE_DIGIT
#define E BYTE_LINE_END
#define H BYTE_HIGH
#define L BYTE_LOWER
#define M BYTE_MARK
#define Q BYTE_QUOTE
#define S BYTE_DELIMITER
#define U BYTE_UPPER
const uint16_t byte_class[256] = {
	/* 00 */ C, C, C, C, C, C, C, C, C, BYTE_HTAB, E, C, C, E, C, C,
	/* 10 */ C, C, C, C, C, C, C, C, C, C, C, C, C, C, C, C,
	/*  !"#$%&' */ BYTE_SP, M, M, S, M, M, M, M,
	/* ()*+,-./ */ M, M, M, BYTE_PLUS, BYTE_COMMA, BYTE_HYPHEN, BYTE_STOP, S,
	/* 0-9 :;<=>? */ D, D, D, D, D, D, D, D, D, D, M, M, M, M, Q, S,
	/* @A-O */ M, U, U, U, U, U, U, U, U, U, U, U, U, U, U, U,
	/* P-Z[\]^_ */ U, U, U, U, U, U, U, U, U, U, U, M, M, M, M, BYTE_UNDERSCORE,
	/* `a-o */ M, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L,
	/* p-z{|}~ DEL */ L, L, L, L, L, L, L, L, L, L, L, M, Q, M, M, C,
	/* 80 */ H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
	/* A0 */ H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
	/* C0 */ H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H,
	/* E0 */ H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H, H
};
