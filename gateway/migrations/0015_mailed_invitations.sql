-- Whether the link went to the address itself. One that was shown to whoever invites proves nothing about the address.
alter table invitation add column mailed boolean not null default false;
