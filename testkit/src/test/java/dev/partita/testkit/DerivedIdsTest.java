package dev.partita.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.partita.Ids;
import java.time.Instant;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Derived ids, against values worked out with another language and another program here. */
class DerivedIdsTest {

  private static final UUID HOLD = UUID.fromString("018f4e2a-7c1b-7d3e-9a4b-5c6d7e8f9a0b");
  private static final UUID GROUP = UUID.fromString("f47ac10b-58cc-4372-a567-0e02b2c3d479");

  @Test
  void areTheSameForEver() {
    assertThat(Ids.named("order-4711")).hasToString("4e1f53d8-e6e7-5a9e-abc5-5e32650d10fd");
    assertThat(Ids.named("Zürich 💶")).hasToString("72a38dcb-ae74-5ce0-b654-8feaae405eee");
    assertThat(Ids.named(Instant.ofEpochMilli(1_767_225_600_123L), "order-4711"))
        .hasToString("019b76da-a87b-7a9e-abc5-5e32650d10fd");
    assertThat(Ids.named(Instant.ofEpochMilli((1L << 48) - 1), "x"))
        .hasToString("ffffffff-ffff-7f18-8c94-bcd09b69b914");
    assertThat(Ids.expiryOf(HOLD)).hasToString("bf0ce280-d219-8211-9b92-599191a59a92");
    assertThat(Ids.memberOf(GROUP, 0)).hasToString("e552e3ca-54aa-8730-841a-9af7c1d296ed");
    assertThat(Ids.memberOf(GROUP, 9_999)).hasToString("bafac8a8-73cd-8edc-a659-bea4b4de7988");
  }

  @Test
  void followTheirDefinitionForAnyInput() {
    Random random = new Random(1);
    for (int i = 0; i < 1_000; i++) {
      UUID id = new UUID(random.nextLong(), random.nextLong());
      int index = random.nextInt(10_000);
      long millis = random.nextLong(1L << 48);
      String text = Long.toString(random.nextLong(), 36) + "é€";
      assertThat(Ids.expiryOf(id)).isEqualTo(DerivedIds.expiryOf(id));
      assertThat(Ids.memberOf(id, index)).isEqualTo(DerivedIds.memberOf(id, index));
      assertThat(Ids.named(text)).isEqualTo(DerivedIds.named(text));
      assertThat(Ids.named(Instant.ofEpochMilli(millis), text))
          .isEqualTo(DerivedIds.named(millis, text));
    }
  }
}
