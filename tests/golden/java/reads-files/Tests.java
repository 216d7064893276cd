import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import help.Where;
import java.io.File;
import org.junit.jupiter.api.MethodOrderer.MethodName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

@TestMethodOrder(MethodName.class)
public class WordsTest {
  @Test
  void countsTheFile() throws Exception {
    assertFalse(new File("left.txt").exists());
    assertEquals(3, Words.count(Where.FILE));
  }

  @Test
  void leavesNothing() {
    assertEquals(2, new File(".").list().length);
  }
}
