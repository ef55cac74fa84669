-- What serving nodes must also have in common: a mark of models, prices, plans and limits. Null of a version that did
-- not say.
alter table processes add column catalog_mark text;
