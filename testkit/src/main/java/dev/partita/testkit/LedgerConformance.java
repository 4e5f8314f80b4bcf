package dev.partita.testkit;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

/**
 * What every engine must pass: the rules of the ledger as tests. An engine's own test extends this
 * class and says how a ledger is opened; that is all.
 *
 * <pre>{@code
 * class MyLedgerConformanceTest extends LedgerConformance {
 *   @Override
 *   protected LedgerUnderTest ledgerUnderTest() {
 *     return clock -> new MyLedger(clock);
 *   }
 * }
 * }</pre>
 *
 * <p>Each test opens a ledger of its own; one thread at a time opens and disposes of them, several
 * threads use them.
 */
public abstract class LedgerConformance {

  /** For subclasses. */
  protected LedgerConformance() {}

  /** How to open the engine's ledgers. May answer the same object every time. */
  protected abstract LedgerUnderTest ledgerUnderTest();

  @Nested
  @DisplayName("rules, as tables")
  class Scenarios extends ScenarioConformance {
    @Override
    LedgerUnderTest engine() {
      return ledgerUnderTest();
    }
  }

  @Nested
  @DisplayName("assets and accounts")
  class Accounts extends AccountConformance {
    @Override
    LedgerUnderTest engine() {
      return ledgerUnderTest();
    }
  }

  @Nested
  @DisplayName("posting")
  class Posting extends PostingConformance {
    @Override
    LedgerUnderTest engine() {
      return ledgerUnderTest();
    }
  }

  @Nested
  @DisplayName("holds, state by state")
  class HoldStates extends HoldStatesConformance {
    @Override
    LedgerUnderTest engine() {
      return ledgerUnderTest();
    }
  }

  @Nested
  @DisplayName("reading")
  class Reading extends ReadingConformance {
    @Override
    LedgerUnderTest engine() {
      return ledgerUnderTest();
    }
  }

  @Nested
  @DisplayName("paging")
  class Paging extends PagingConformance {
    @Override
    LedgerUnderTest engine() {
      return ledgerUnderTest();
    }
  }

  @Nested
  @DisplayName("change feed")
  class ChangeFeed extends FeedConformance {
    @Override
    LedgerUnderTest engine() {
      return ledgerUnderTest();
    }
  }

  @Nested
  @DisplayName("many callers at once")
  class Concurrency extends ConcurrencyConformance {
    @Override
    LedgerUnderTest engine() {
      return ledgerUnderTest();
    }
  }

  @Nested
  @DisplayName("hostile input")
  class HostileInput extends HostileInputConformance {
    @Override
    LedgerUnderTest engine() {
      return ledgerUnderTest();
    }
  }

  @Nested
  @DisplayName("closing and restarting")
  class Closing extends ClosingConformance {
    @Override
    LedgerUnderTest engine() {
      return ledgerUnderTest();
    }
  }

  @Nested
  @DisplayName("random operations")
  class RandomOperations extends RandomConformance {
    @Override
    LedgerUnderTest engine() {
      return ledgerUnderTest();
    }
  }
}
