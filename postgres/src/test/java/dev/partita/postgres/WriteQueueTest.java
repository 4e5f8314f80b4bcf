package dev.partita.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.partita.UnavailableException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What happens to requests that no lane has taken up. */
class WriteQueueTest {

  @Test
  void anInterruptedThreadStillTakesOutAllThatWaits() throws InterruptedException {
    WriteQueue queue = new WriteQueue(10, 10_000);
    Ticket waits = ticket();
    Ticket withdrawn = ticket();
    queue.add(waits);
    queue.add(withdrawn);
    assertThat(withdrawn.withdraw()).isTrue();
    Thread.currentThread().interrupt();
    try {
      assertThat(queue.drain()).containsExactly(waits);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(waits.withdraw()).isFalse();
    assertThat(queue.take(10, 0)).isEmpty();
  }

  @Test
  void countsWhatLanesHavePutAside() {
    WriteQueue queue = new WriteQueue(2, 10_000);
    queue.countAside(2, 100);
    assertThatThrownBy(() -> queue.add(ticket()))
        .isInstanceOfSatisfying(
            UnavailableException.class,
            full -> assertThat(full.reason()).isEqualTo(UnavailableException.Reason.QUEUE_FULL));
    queue.countAside(-1, -50);
    queue.add(ticket());
    assertThatThrownBy(() -> queue.add(ticket())).isInstanceOf(UnavailableException.class);
  }

  private static Ticket ticket() {
    return new Ticket(List.of(Stage.direct("a", "b", 1)), null, Long.MAX_VALUE);
  }
}
