public class RotateArray {
  public static void rotateRight(int[] values, int steps) {
    int length = values.length;
    if (length == 0) {
      return;
    }
    int[] old = values.clone();
    int shift = Math.floorMod(steps, length);
    for (int i = 0; i < length; i++) {
      values[(i + shift) % length] = old[i];
    }
  }
}
