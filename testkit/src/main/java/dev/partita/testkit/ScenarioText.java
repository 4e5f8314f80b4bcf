package dev.partita.testkit;

import dev.partita.AccountId;
import dev.partita.Amount;
import dev.partita.Asset;
import dev.partita.AssetCode;
import dev.partita.Balance;
import dev.partita.ChangeRequest;
import dev.partita.GroupRequest;
import dev.partita.GroupResolution;
import dev.partita.Ids;
import dev.partita.Limits;
import dev.partita.Metadata;
import dev.partita.NewAccount;
import dev.partita.PostItem;
import dev.partita.PostRequest;
import dev.partita.Side;
import dev.partita.TransferKind;
import dev.partita.TransferRequest;
import dev.partita.UpTo;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads the operations of scenario tables. The language, one operation a line:
 *
 * <pre>
 * asset EUR 2
 * open A EUR [debit] [min N] [max N] [code N] [note key=text]
 * change A [min N|none] [max N|none] [note key=text|none] [closed|opened] [ifChange N] [actor TEXT]
 * close A
 * reopen A
 * direct T A→B 100 [in USD] [upTo debit|credit|both] [at TIME] [code N] [ref TEXT] [note key=text]
 * pending H A→B 100 [timeout SECONDS] and all of direct
 * post P H [100] [keep] [A→B] [in USD] [at TIME] [code N] [ref TEXT] [note key=text]
 * void V H [A→B] [in USD] …
 * reverse R T [100] [in USD] …
 * postGroup N G
 * voidGroup N G
 * expire 10
 * clock TIME
 * account A
 * hold H
 * transfer T
 * </pre>
 *
 * <p>{@code group G} and {@code request} head the indented lines below them. Amounts are minor
 * units; {@code max} is 2^127−1, and {@code max-5} is five less. A TIME is an instant or relative
 * to {@link ManualClock#START}: {@code +10s}, {@code -1us}. Texts have no blanks.
 */
final class ScenarioText {

  /** The asset of a transfer that names none. */
  static final AssetCode EUR = new AssetCode("EUR");

  private static final BigInteger MAX = Amount.MAX.toBigInteger();

  private final String[] words;
  private int at;

  private ScenarioText(String line) {
    words = line.trim().split("\\s+");
  }

  /** The UUID that a name in a table stands for. */
  static UUID id(String name) {
    return name.length() == 36 ? UUID.fromString(name) : Ids.named("scenario " + name);
  }

  /** Reads a line that is not the head of a block. */
  static Operation operation(String line) {
    ScenarioText text = new ScenarioText(line);
    Operation operation = text.operation();
    if (text.at < text.words.length) {
      throw new IllegalArgumentException("cannot read '" + text.words[text.at] + "'");
    }
    return operation;
  }

  /** Reads a transfer or the resolution of a group. */
  static PostItem item(String line) {
    if (operation(line) instanceof Operation.Post post) {
      return post.request().items().getFirst();
    }
    throw new IllegalArgumentException("nothing to post: " + line);
  }

  static GroupRequest group(String head, List<PostItem> members) {
    List<TransferRequest> transfers = new ArrayList<>();
    for (PostItem member : members) {
      transfers.add((TransferRequest) member);
    }
    ScenarioText text = new ScenarioText(head);
    text.at = 1;
    return text.more() ? new GroupRequest(id(text.word()), transfers) : GroupRequest.of(transfers);
  }

  static BigInteger number(String word) {
    if (word.startsWith("-max")) {
      return number(word.substring(1)).negate();
    }
    if (word.startsWith("max")) {
      return word.length() == 3 ? MAX : MAX.add(new BigInteger(word.substring(3)));
    }
    return new BigInteger(word.replace("_", ""));
  }

  static Instant time(String word) {
    char first = word.charAt(0);
    if (first != '+' && first != '-') {
      return Instant.parse(word);
    }
    int unit = word.endsWith("us") ? 2 : 1;
    long count = Long.parseLong(word.substring(0, word.length() - unit));
    return ManualClock.START.plus(
        unit == 2 ? Duration.of(count, ChronoUnit.MICROS) : Duration.ofSeconds(count));
  }

  private boolean more() {
    return at < words.length;
  }

  private String word() {
    if (!more()) {
      throw new IllegalArgumentException("the line ends too early");
    }
    return words[at++];
  }

  private boolean next(String word) {
    boolean is = more() && words[at].equals(word);
    if (is) {
      at++;
    }
    return is;
  }

  private Operation operation() {
    String verb = word();
    return switch (verb) {
      case "asset" -> new Operation.Register(List.of(Asset.of(word(), Integer.parseInt(word()))));
      case "open" -> new Operation.Open(List.of(newAccount()));
      case "change" -> change(ChangeRequest.of(new AccountId(word())));
      case "close" -> change(ChangeRequest.of(new AccountId(word())).close());
      case "reopen" -> change(ChangeRequest.of(new AccountId(word())).reopen());
      case "direct" -> posting(details(movement(TransferKind.DIRECT)));
      case "pending" -> posting(details(movement(TransferKind.PENDING)));
      case "post" -> posting(details(TransferRequest.capture(id(word()), id(word()))));
      case "void" -> posting(details(TransferRequest.voiding(id(word()), id(word()))));
      case "reverse" -> posting(details(TransferRequest.reversal(id(word()), id(word()))));
      case "postGroup" -> posting(GroupResolution.postGroup(id(word()), id(word())));
      case "voidGroup" -> posting(GroupResolution.voidGroup(id(word()), id(word())));
      case "expire" -> new Operation.Expire(Integer.parseInt(word()));
      case "clock" -> new Operation.SetClock(time(word()));
      case "account" -> new Operation.LookAtAccount(new AccountId(word()));
      case "hold" -> new Operation.LookAtHold(id(word()));
      case "transfer" -> new Operation.LookAtTransfer(id(word()));
      default -> throw new IllegalArgumentException("no operation '" + verb + "'");
    };
  }

  private static Operation posting(PostItem item) {
    return new Operation.Post(PostRequest.of(item));
  }

  private NewAccount newAccount() {
    NewAccount account = NewAccount.of(word(), word());
    Balance min = null;
    Balance max = null;
    Map<String, String> notes = new TreeMap<>();
    while (more()) {
      String word = word();
      switch (word) {
        case "debit" -> account = account.normal(Side.DEBIT);
        case "credit" -> account = account.normal(Side.CREDIT);
        case "min" -> min = limit();
        case "max" -> max = limit();
        case "code" -> account = account.code(Integer.parseInt(word()));
        case "note" -> note(notes);
        default -> throw new IllegalArgumentException("an account has no '" + word + "'");
      }
    }
    return account.limits(new Limits(min, max)).metadata(Metadata.of(notes));
  }

  private @Nullable Balance limit() {
    return next("none") ? null : Balance.ofMinor(number(word()));
  }

  private void note(Map<String, String> notes) {
    String[] note = word().split("=", 2);
    notes.put(note[0], note[1]);
  }

  private Operation change(ChangeRequest start) {
    ChangeRequest change = start;
    Map<String, String> notes = new TreeMap<>();
    while (more()) {
      String word = word();
      switch (word) {
        case "min" -> change = change.minBalance(limit());
        case "max" -> change = change.maxBalance(limit());
        case "note" -> {
          if (next("none")) {
            notes.clear();
          } else {
            note(notes);
          }
          change = change.metadata(Metadata.of(notes));
        }
        case "closed" -> change = change.close();
        case "opened" -> change = change.reopen();
        case "ifChange" -> change = change.ifChange(Long.parseLong(word()));
        case "actor" -> change = change.actor(word());
        default -> throw new IllegalArgumentException("a change has no '" + word + "'");
      }
    }
    return new Operation.Change(change, String.join(" ", words));
  }

  private TransferRequest movement(TransferKind kind) {
    UUID id = id(word());
    String[] sides = word().split("→", -1);
    AccountId debit = new AccountId(sides[0]);
    AccountId credit = new AccountId(sides[1]);
    Amount amount = Amount.ofMinor(number(word()));
    return kind == TransferKind.DIRECT
        ? TransferRequest.direct(id, EUR, debit, credit, amount)
        : TransferRequest.pending(id, EUR, debit, credit, amount);
  }

  private static @Nullable AccountId accountIfNamed(String word) {
    return word.isEmpty() ? null : new AccountId(word);
  }

  private TransferRequest details(TransferRequest start) {
    TransferRequest request = start;
    Map<String, String> notes = new TreeMap<>();
    while (more()) {
      String word = word();
      switch (word) {
        case "keep" -> request = request.keepRemainder(true);
        case "timeout" -> request = request.timeoutSeconds(Integer.parseInt(word()));
        case "in" -> request = request.asset(new AssetCode(word()));
        case "upTo" -> request = request.upTo(UpTo.valueOf(word().toUpperCase(Locale.ROOT)));
        case "at" -> request = request.effectiveAt(time(word()));
        case "code" -> request = request.code(Integer.parseInt(word()));
        case "ref" -> request = request.reference(word());
        case "note" -> {
          note(notes);
          request = request.metadata(Metadata.of(notes));
        }
        default -> {
          if (word.contains("→")) {
            String[] sides = word.split("→", -1);
            request = request.accounts(accountIfNamed(sides[0]), accountIfNamed(sides[1]));
          } else {
            request = request.amount(Amount.ofMinor(number(word)));
          }
        }
      }
    }
    return request;
  }
}
