<html><?php
declare(strict_types=1);

namespace Shop\Orders;

use Shop\Core\Money;
use function Shop\round_up;

require_once "money.php";

const LIMIT = 10;

/** An order. */
#[Entity]
final class Order extends Base implements Priced
{
    use Countable;

    public const RATE = 0.19;
    private array $lines = [];

    public function __construct(private readonly int $size)
    {
        parent::__construct();
    }

    /**
     * Adds up.
     */
    #[Pure]
    public static function total(
        float $rate,
        int ...$counts
    ): ?Money {
        $local = array_map(fn($x) => $x * round_up($rate), $counts);
        return (new Money($local))->add(self::helper(1));
    }

    abstract protected function flush();
}

interface Priced
{
    public function price(): int;
}

trait Countable
{
    public function count() { return 1; }
}

enum State: string
{
    case Open = "open";

    public function label(): string { return ucfirst($this->value); }
}

function total(array $orders): int
{
    $add = function ($x) { return \strlen($x); };
    return $add($orders[0]);
}
?></html>
