package dev.partita.validate.client;

import dev.partita.CorruptionException;
import dev.partita.GroupRef;
import dev.partita.GroupRequest;
import dev.partita.GroupResolution;
import dev.partita.Ledger;
import dev.partita.PostItem;
import dev.partita.PostRequest;
import dev.partita.Transfer;
import dev.partita.TransferRequest;
import dev.partita.TransferResult;
import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import dev.partita.validate.Run;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Posts for the clients and keeps their journal: a request whose outcome is unknown is repeated
 * with the same ids until there is an answer, as every client should. Thread-safe.
 */
public final class Teller {

  /** What became of a request. */
  public enum Answer {
    /** The ledger answered each transfer. */
    ANSWERED,
    /** Nothing was posted, and the ledger said so. */
    NOT_POSTED,
    /** Nobody knows, for longer than the patience. */
    UNKNOWN
  }

  private static final String RESOLVED = "every unknown outcome is resolved by repeating it";
  private static final String SOUND = "the ledger finds no contradiction in what is stored";
  private static final long PAUSE_MILLIS = 20;

  private final Ledger ledger;
  private final Journal journal;
  private final Run run;
  private final Duration patience;
  private final Consumer<UnavailableException> failures;
  private final Counts counts;

  /** What the ledger said so far. Thread-safe. */
  private static final class Counts {
    private final LongAdder recorded = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder notPosted = new LongAdder();
    private final LongAdder unknown = new LongAdder();
    private final LongAdder replays = new LongAdder();
    private final LongAccumulator longestNanos = new LongAccumulator(Math::max, 0);
    private final Map<String, LongAdder> unanswered = new ConcurrentSkipListMap<>();

    private void unanswered(UnavailableException failure) {
      unanswered
          .computeIfAbsent(failure.reason() + ", " + failure.outcome(), key -> new LongAdder())
          .increment();
    }
  }

  /**
   * Posts to a ledger.
   *
   * @param patience how long an unknown outcome is asked about
   */
  public Teller(Ledger ledger, Journal journal, Run run, Duration patience) {
    this(ledger, journal, run, patience, failure -> {});
  }

  /**
   * Posts to a ledger.
   *
   * @param patience how long an unknown outcome is asked about
   * @param failures told every time the ledger has no answer
   */
  public Teller(
      Ledger ledger,
      Journal journal,
      Run run,
      Duration patience,
      Consumer<UnavailableException> failures) {
    this(ledger, journal, run, patience, failures, new Counts());
  }

  private Teller(
      Ledger ledger,
      Journal journal,
      Run run,
      Duration patience,
      Consumer<UnavailableException> failures,
      Counts counts) {
    this.failures = failures;
    this.ledger = ledger;
    this.journal = journal;
    this.run = run;
    this.patience = patience;
    this.counts = counts;
  }

  /** One who posts to another ledger, with the same journal and the same counts. */
  public Teller at(Ledger other) {
    return new Teller(other, journal, run, patience, failures, counts);
  }

  /** Posts one item and journals what is said of it. */
  public Result post(PostItem item) throws InterruptedException {
    return post("" + item.id(), write(item), () -> ledger.post(item).transfers());
  }

  /** Posts several transfers as one request, each for itself, and journals what is said of them. */
  public Result postAll(List<TransferRequest> transfers) throws InterruptedException {
    List<Journal.Line> lines = transfers.stream().map(each -> journal.sent(each, null)).toList();
    PostRequest request = new PostRequest(List.copyOf(transfers));
    return post(transfers.size() + " transfers", lines, () -> ledger.post(request).transfers());
  }

  private Result post(String named, List<Journal.Line> lines, Supplier<List<TransferResult>> ask)
      throws InterruptedException {
    boolean asked = false;
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      long begun = System.nanoTime();
      try {
        List<TransferResult> results = ask.get();
        for (int i = 0; i < results.size(); i++) {
          note(lines.get(i), results.get(i));
        }
        if (asked) {
          run.held(RESOLVED, 1);
        }
        return new Result(Answer.ANSWERED, results);
      } catch (UnavailableException e) {
        failures.accept(e);
        counts.unanswered(e);
        if (e.outcome() == Outcome.NOT_POSTED && !asked) {
          lines.forEach(Journal.Line::notPosted);
          counts.notPosted.add(lines.size());
          pause();
          return new Result(Answer.NOT_POSTED, List.of());
        }
        if (!asked) {
          lines.forEach(Journal.Line::unknown);
          counts.unknown.add(lines.size());
          asked = true;
        }
        if (System.nanoTime() - deadline > 0) {
          run.violation(RESOLVED, named + " after " + patience + ": " + e.getMessage());
          return new Result(Answer.UNKNOWN, List.of());
        }
        pause();
      } catch (CorruptionException e) {
        lines.forEach(Journal.Line::unknown);
        run.violation(SOUND, named + ": " + e.getMessage());
        return new Result(Answer.UNKNOWN, List.of());
      } finally {
        counts.longestNanos.accumulate(System.nanoTime() - begun);
      }
    }
  }

  /** Repeats a transfer of unknown outcome until there is an answer. */
  void resolve(Journal.Line line) throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (post(line.request()).answer() != Answer.ANSWERED) {
      if (System.nanoTime() - deadline > 0) {
        run.violation(RESOLVED, line.request().id() + " after " + patience);
        return;
      }
    }
  }

  private static void pause() throws InterruptedException {
    Thread.sleep(PAUSE_MILLIS);
  }

  /**
   * The answer to an item.
   *
   * @param results one for each transfer if it was answered, otherwise empty
   */
  public record Result(Answer answer, List<TransferResult> results) {

    /** Whether all of it is recorded. */
    public boolean recorded() {
      return answer == Answer.ANSWERED
          && results.stream().allMatch(each -> each.status().isRecorded());
    }
  }

  private List<Journal.Line> write(PostItem item) {
    return switch (item) {
      case TransferRequest transfer -> List.of(journal.sent(transfer, null));
      case GroupRequest group -> {
        List<TransferRequest> members = group.members();
        Journal.Line[] lines = new Journal.Line[members.size()];
        for (int i = 0; i < lines.length; i++) {
          lines[i] = journal.sent(members.get(i), new GroupRef(group.id(), i, members.size()));
        }
        yield List.of(lines);
      }
      case GroupResolution resolution ->
          throw new IllegalArgumentException("ids of its members are not known here");
    };
  }

  private void note(Journal.Line line, TransferResult result) {
    if (result.status().isRecorded()) {
      line.record(result.orThrow());
      counts.recorded.increment();
    } else {
      line.refuse(result.status());
      counts.refused.increment();
    }
  }

  /**
   * Repeats a transfer that was recorded and is not in the journal any more: the same record must
   * be the answer.
   */
  public void repeat(TransferRequest request, Transfer original) throws InterruptedException {
    String what = "a repeated transfer is answered with the original record";
    try {
      TransferResult result = ledger.post(request);
      counts.replays.increment();
      run.check(
          what, original.equals(result.transfer()), "expected " + original + " but was " + result);
    } catch (UnavailableException e) {
      pause();
    } catch (CorruptionException e) {
      run.violation(SOUND, request.id() + ": " + e.getMessage());
    }
  }

  /** Answers that said recorded. */
  public long recorded() {
    return counts.recorded.sum();
  }

  /** Answers that refused. */
  public long refused() {
    return counts.refused.sum();
  }

  /** Transfers of which the ledger said that nothing was posted. */
  public long notPosted() {
    return counts.notPosted.sum();
  }

  /** Transfers whose outcome was unknown at first. */
  public long unknown() {
    return counts.unknown.sum();
  }

  /** Repeats of recorded transfers that were answered. */
  public long replays() {
    return counts.replays.sum();
  }

  /** Requests that got this instead of an answer. */
  public long unanswered(Reason reason, Outcome outcome) {
    LongAdder count = counts.unanswered.get(reason + ", " + outcome);
    return count == null ? 0 : count.sum();
  }

  /** Notes the counts. */
  public void report() {
    run.fact("transfers acknowledged", recorded());
    run.fact("transfers refused", refused());
    run.fact("transfers not posted", notPosted());
    run.fact("transfers of unknown outcome at first", unknown());
    run.fact("repeats of recorded transfers", replays());
    run.fact(
        "longest wait for an answer",
        TimeUnit.NANOSECONDS.toMillis(counts.longestNanos.get()),
        "ms");
    counts.unanswered.forEach((what, count) -> run.fact("requests answered " + what, count.sum()));
  }
}
