# The links that URI::Find finds: a JSON array of texts on standard input; on standard output an array for each text of
# [begin, end] in characters.
use strict;
use warnings;
use JSON::PP;
use URI::Find;

local $/;
my $json = JSON::PP->new->utf8;
my @found;
for my $text (@{$json->decode(<STDIN>)}) {
	my (@links, @original);
	my $copy = $text;
	URI::Find->new(sub { push @original, $_[1]; $_[1] })->find(\$copy);
	my $at = 0;
	for my $link (@original) {
		my $begin = index($text, $link, $at);
		next if $begin < 0;
		$at = $begin + length $link;
		push @links, [$begin, $at];
	}
	push @found, \@links;
}
print $json->encode(\@found);
