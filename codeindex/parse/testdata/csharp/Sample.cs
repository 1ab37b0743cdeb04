using System;
using Money = Shop.Core.Money;
using static System.Math;

namespace Shop.Orders
{
    /// <summary>An order.</summary>
    [Serializable]
    public class Order<T> : Base, IPriced where T : class
    {
        private const int Limit = 10;
        private readonly List<T> lines = new();
        public event EventHandler Changed;

        public Order(int size) : base(size)
        {
            Check(size);
        }

        // What it costs.
        public decimal Price { get; private set; } = 1m;

        public decimal Twice => Price * 2;

        /// <summary>Adds up.</summary>
        [Obsolete]
        public async Task<decimal> Total(
            Func<T, decimal> rate)
        {
            int local = 1;
            decimal Add(decimal x) => x + local;
            return await lines.Select(rate).Sum().Round<int>(Add(1));
        }

        public static Order<T> operator +(Order<T> a, Order<T> b) => a;
    }

    public interface IPriced { decimal Price { get; } void Pay(); }

    public struct Point { public int X; }

    public enum State { Open, Paid }

    public record Line(string Name, int Price);

    public delegate int Compare(object a, object b);
}
