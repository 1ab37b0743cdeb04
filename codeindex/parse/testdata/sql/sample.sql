-- Customers.
CREATE TABLE IF NOT EXISTS shop.customers (
  id INT PRIMARY KEY,
  name VARCHAR(20) NOT NULL
);

CREATE UNIQUE INDEX customers_name ON customers (name);

/* Those who pay. */
CREATE OR REPLACE VIEW paying AS
  SELECT c.id, count(*) FROM customers c GROUP BY c.id;

CREATE TYPE state AS ENUM ('open', 'paid');

CREATE FUNCTION add(a INT, b INT) RETURNS INT AS $$
BEGIN
  RETURN a + b;
END;
$$ LANGUAGE plpgsql;

CREATE MATERIALIZED VIEW totals AS SELECT sum(price) FROM lines;

INSERT INTO customers (id) VALUES (1);

ALTER TABLE customers ADD COLUMN age INT;

CREATE SEQUENCE shop.numbers;

-- Checks what comes in.
CREATE TRIGGER check_price BEFORE INSERT ON lines
  FOR EACH ROW EXECUTE FUNCTION add(1, 2);
