package com.example.orders;

import java.util.List;
import static java.util.stream.Collectors.toList;

/** An order. */
@Entity
public class Sample<T extends Comparable<T>> extends Base implements Runnable {
    private static final int LIMIT = 10;
    // The lines.
    private final List<T> lines = new ArrayList<>();

    static {
        Registry.register(Sample.class);
    }

    public Sample(int size) {
        this.size = check(size);
    }

    /**
     * Adds up.
     */
    @Override
    public <R> R total(Function<T, R> rate,
                       int count) throws IOException {
        int local = 1;
        Runnable r = () -> helper(local);
        return lines.stream().map(rate::apply).collect(toList()).get(0);
    }

    interface Rate {
        double of(int amount);
    }

    enum State { OPEN, PAID; State next() { return PAID; } }

    record Line(String name, int price) {
        Line {
            if (price < 0) throw new IllegalArgumentException();
        }
    }

    @Test
    void addsUp() {
        assertEquals(1, total());
    }

    @interface Marker { int value() default 1; }
}

sealed interface Shape permits Circle {}
