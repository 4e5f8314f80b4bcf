\set payer random(1, 9999)
\set amount random(1, 100)
BEGIN;
UPDATE account SET balance = balance + :amount WHERE no = 0;
UPDATE account SET balance = balance - :amount WHERE no = :payer;
INSERT INTO entry (transfer, account, amount) VALUES (gen_random_uuid(), :payer, -(:amount::bigint)), (gen_random_uuid(), 0, :amount);
COMMIT;
