package com.polyassay.worker;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Whether class files could leave anything behind in the JVM once nothing refers to them.
 *
 * <p>Code that leaves something behind must call for it: a thread, a reference, a thread-local,
 * reflection. Code that calls nothing but itself and what computes with values leaves nothing, and
 * no garbage collection is needed to find that out. Gain: {@code tools/bench-java --without
 * footprint}, see docs/benchmarks.md.
 */
final class Footprint {
  private static final Pattern COMPUTES =
      Pattern.compile(
          "java/(lang/(Object|String|StringBuilder|StringBuffer|Math|StrictMath|Integer|Long|Double"
              + "|Float|Short|Byte|Character|Boolean|Number|CharSequence|Comparable|Iterable|Enum"
              + "|Record|\\w*Exception|\\w*Error|invoke/(LambdaMetafactory|StringConcatFactory)"
              + "|runtime/ObjectMethods)"
              + "|util/(\\w*List|\\w*Map|\\w*Set|\\w*Deque|\\w*Queue|Map\\$Entry|AbstractMap\\$\\w+"
              + "|Arrays|Collections?|Iterator|Comparator|Objects|Optional\\w*|Stack|Vector|BitSet"
              + "|StringJoiner|\\w*Exception|(stream|function|regex)/[\\w$]+)"
              + "|math/\\w+|time/((chrono|format|temporal)/)?\\w+)");

  private Footprint() {}

  static boolean isNone(Collection<byte[]> classes, Set<String> own) {
    for (byte[] each : classes) {
      try {
        if (!onlyComputes(new DataInputStream(new ByteArrayInputStream(each)), own)) {
          return false;
        }
      } catch (IOException e) {
        return false;
      }
    }
    return true;
  }

  /** Reads the constant pool: who is called, and whether a finalizer is declared. */
  private static boolean onlyComputes(DataInputStream in, Set<String> own) throws IOException {
    in.readLong(); // magic number and version
    int count = in.readUnsignedShort();
    String[] texts = new String[count];
    int[] names = new int[count];
    List<Integer> callees = new ArrayList<>();
    for (int i = 1; i < count; i++) {
      int tag = in.readUnsignedByte();
      switch (tag) {
        case 1 -> texts[i] = in.readUTF();
        case 7 -> names[i] = in.readUnsignedShort();
        case 9, 10, 11 -> {
          callees.add(in.readUnsignedShort());
          in.readUnsignedShort();
        }
        case 5, 6 -> {
          in.readLong();
          i++; // takes two places
        }
        case 15 -> in.skipNBytes(3);
        case 8, 16, 19, 20 -> in.readUnsignedShort();
        default -> in.readInt();
      }
    }
    if (Arrays.asList(texts).contains("finalize")) {
      return false;
    }
    for (int callee : callees) {
      String name = texts[names[callee]];
      boolean array = name.startsWith("[");
      if (!array && !own.contains(name.replace('/', '.')) && !COMPUTES.matcher(name).matches()) {
        return false;
      }
    }
    return true;
  }
}
