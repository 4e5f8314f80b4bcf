-- Nothing: the number belongs to another part of this version.
SELECT 1;
