package Shop::Order;

use strict;
use parent qw(Shop::Base);
use List::Util qw(sum);
use constant RATE => 0.19;

our $VERSION = '1.0';

=head2 total

Adds up.

sub documented { }

=cut

# Makes an order of some lines.
sub new {
    my ($class, %args) = @_;
    my $self = { lines => $args{lines} || [], size => $#{ $args{lines} } };
    return bless $self, $class;
}

# sub commented {
sub total {
    my $self = shift;
    my $add = sub {
        return with_tax(shift);
    };
    print <<"TEXT", "sub quoted {";
sub inHeredoc {
TEXT
    return sum(map { $add->($_) } @{ $self->{lines} });
}

sub with_tax { return $_[0] * (1 + RATE) }

sub later;

package Shop::Empty {
    sub size { 0 }
}

package Shop::Rates;

sub rate {
    if ($_[0] =~ m/^sub/) {
        return RATE;
    }
}

1;

__END__

sub after_the_end { }
