-- The index of rollouts. Everything in it can be made again from the files.

-- One row per rollout file. A turn changes `updated_at`, `recency_at`, `size` and `changed`
-- and nothing else that an index holds, so that it costs few pages.
CREATE TABLE thread (
    key         INTEGER PRIMARY KEY,
    path        TEXT    NOT NULL UNIQUE,      -- below the home folder
    id          BLOB    NOT NULL,             -- 16 bytes
    created_at  INTEGER NOT NULL,             -- Unix milliseconds, as are the next two
    updated_at  INTEGER NOT NULL,
    recency_at  INTEGER NOT NULL,
    cwd         TEXT    NOT NULL,
    provider    TEXT,
    source      TEXT    NOT NULL,             -- kind of source, for the filter
    parent      BLOB,                         -- the thread that spawned it
    base        BLOB,                         -- the thread whose file it continues
    preview     TEXT,                         -- NULL: no list shows it
    name        TEXT,
    model       TEXT,
    effort      TEXT,
    last_turn   TEXT,
    archived    INTEGER NOT NULL,
    shadowed    INTEGER NOT NULL DEFAULT 0,   -- another file of the same thread counts
    head        TEXT    NOT NULL,             -- the rest of the header, JSON
    size        INTEGER NOT NULL,             -- of the file, bytes
    changed     INTEGER NOT NULL              -- of the file, Unix nanoseconds
) STRICT;

CREATE INDEX thread_id ON thread (id);
CREATE INDEX thread_created ON thread (created_at, id);
CREATE INDEX thread_updated ON thread (updated_at, id);
CREATE INDEX thread_recency ON thread (recency_at, id);
CREATE INDEX thread_cwd ON thread (cwd, created_at);

-- Files that tell of no thread. Kept so that they are not read again until they change.
CREATE TABLE unreadable (
    path    TEXT    NOT NULL PRIMARY KEY,
    size    INTEGER NOT NULL,
    changed INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Folders and when they last changed, so that an unchanged one is not listed again.
CREATE TABLE folder (
    path    TEXT    NOT NULL PRIMARY KEY,
    changed INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
