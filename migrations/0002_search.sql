-- What was said in rollouts, to be searched. Made from the files when somebody searches.

-- How far a file has been read.
CREATE TABLE searched (
    key     INTEGER PRIMARY KEY,
    path    TEXT    NOT NULL UNIQUE,      -- below the home folder
    inode   INTEGER NOT NULL,
    read_to INTEGER NOT NULL,             -- bytes; behind a whole line
    size    INTEGER NOT NULL,             -- as the row of the thread had it then
    changed INTEGER NOT NULL
) STRICT;

-- What a person or the model said, or a command.
CREATE TABLE passage (
    key   INTEGER PRIMARY KEY,
    file  INTEGER NOT NULL,               -- searched.key
    words TEXT    NOT NULL
) STRICT;

CREATE INDEX passage_file ON passage (file);

-- Any three characters in a row of any language lead to the passages that hold them.
CREATE VIRTUAL TABLE passage_words USING fts5
    (words, content = 'passage', content_rowid = 'key', tokenize = 'trigram');

-- What is taken out leaves no trace.
INSERT INTO passage_words (passage_words, rank) VALUES ('secure-delete', 1);

CREATE TRIGGER passage_added AFTER INSERT ON passage BEGIN
    INSERT INTO passage_words (rowid, words) VALUES (new.key, new.words);
END;

CREATE TRIGGER passage_removed AFTER DELETE ON passage BEGIN
    INSERT INTO passage_words (passage_words, rowid, words) VALUES ('delete', old.key, old.words);
END;

CREATE TRIGGER searched_removed AFTER DELETE ON searched BEGIN
    DELETE FROM passage WHERE file = old.key;
END;

CREATE TRIGGER thread_removed AFTER DELETE ON thread BEGIN
    DELETE FROM searched WHERE path = old.path;
END;

CREATE TRIGGER thread_moved AFTER UPDATE OF path ON thread BEGIN
    UPDATE searched SET path = new.path WHERE path = old.path;
END;
