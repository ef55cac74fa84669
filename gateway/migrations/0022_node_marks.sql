-- What nodes that serve together must have in common: a mark of the secret, which says nothing of it but whether two are
-- the same, and where files are kept. Null of a version that did not say.
alter table processes add column secret_mark text, add column objects_place text;
