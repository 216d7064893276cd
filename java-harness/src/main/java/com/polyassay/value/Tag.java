package com.polyassay.value;

/** What the first byte of a value says. */
enum Tag {
  NULL,
  BOOLEAN,
  BYTE,
  SHORT,
  CHAR,
  INT,
  LONG,
  FLOAT,
  DOUBLE,
  STRING,
  TEXT,
  ARRAY,
  CONTAINER,
  OPTIONAL,
  BUILDER,
  BUFFER,
  DATE,
  KNOWN,
  HANDLE,
  FRESH,
  INTERNED,
  VIEW
}
