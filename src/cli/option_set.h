/* The functions that set an option to the text of its value; the rows of option_table have them. */
#ifndef CLI_OPTION_SET_H
#define CLI_OPTION_SET_H

#include "verbs.h"

typedef enum status option_set_fn(struct options *o, const struct option *row, const char *value);

option_set_fn set_flag;
option_set_fn set_text;
option_set_fn set_names;
option_set_fn set_output;
option_set_fn set_format;
option_set_fn set_columns;
option_set_fn set_pattern;
option_set_fn set_in_place;
option_set_fn set_form;
option_set_fn set_number;
option_set_fn set_choice;
option_set_fn set_size;
option_set_fn set_range;
option_set_fn set_lang;
option_set_fn set_style;
option_set_fn set_link_rules;
option_set_fn set_filter;
option_set_fn set_action;

#endif
