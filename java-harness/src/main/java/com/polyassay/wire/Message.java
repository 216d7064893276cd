package com.polyassay.wire;

/**
 * One message between two processes: its name, then its fields in the order of the record.
 *
 * <p>All messages are records in this package; {@code polyassay/harness/java/messages.py} has the
 * same ones under the same names for the runner. {@code tests/golden/java/messages.txt} lists them
 * with their fields and bytes, and a test on either side holds that side against it.
 */
public interface Message {
  /** Writes the fields, in the record's order. */
  void writeTo(MessageWriter out);

  /** The name that stands before the fields: that of the record. */
  default String name() {
    return getClass().getSimpleName();
  }

  default byte[] toBytes() {
    MessageWriter out = new MessageWriter().text(name());
    writeTo(out);
    return out.toBytes();
  }
}
