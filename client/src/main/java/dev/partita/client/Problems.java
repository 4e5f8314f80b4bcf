package dev.partita.client;

import dev.partita.AccountId;
import dev.partita.CorruptionException;
import dev.partita.HistoryChangedException;
import dev.partita.LedgerException;
import dev.partita.MisuseException;
import dev.partita.UnavailableException;
import dev.partita.UnavailableException.Outcome;
import dev.partita.UnavailableException.Reason;
import dev.partita.UnknownAccountException;
import dev.partita.json.Problem;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Problems as the exceptions that an engine in process throws for the same reason. */
final class Problems {

  static final String ACCOUNT_NOT_FOUND = "account_not_found";
  private static final String HISTORY_CHANGED = "history_changed";

  /** Of a value in the body: the item it is in, and its place there. */
  private static final Pattern ITEM = Pattern.compile("/items/([0-9]{1,5})(?:/(.*))?");

  private static final Pattern MEMBER = Pattern.compile("group/members/([0-9]{1,5})/(.*)");
  private static final int CONFLICT = 409;
  private static final int TOO_MANY_REQUESTS = 429;

  private Problems() {}

  static LedgerException exception(Call<?> call, Reply.Refused<?> refused) {
    Problem problem = refused.problem();
    AccountId account = call.account();
    if (problem.code().equals(ACCOUNT_NOT_FOUND) && account != null) {
      return new UnknownAccountException(account);
    }
    if (problem.status() == TOO_MANY_REQUESTS) {
      return unavailable(Reason.QUEUE_FULL, Outcome.NOT_POSTED, refused);
    }
    if (problem.status() == CONFLICT) {
      return unavailable(Reason.CONTENTION, Outcome.NOT_POSTED, refused);
    }
    if (problem.code().equals(HISTORY_CHANGED)) {
      return new HistoryChangedException(sentence(problem, "cursor"));
    }
    if (problem.status() < 500) {
      return misuse(problem);
    }
    if (problem.code().equals("corruption")) {
      return new CorruptionException(sentence(problem));
    }
    Reason reason = problem.reason();
    Outcome outcome = problem.outcome();
    Outcome ifNotSaid = call.effect().changesSomething() ? Outcome.UNKNOWN : Outcome.NOT_POSTED;
    return unavailable(
        reason == null ? Reason.DATABASE_ERROR : reason,
        outcome == null ? ifNotSaid : outcome,
        refused);
  }

  private static UnavailableException unavailable(
      Reason reason, Outcome outcome, Reply.Refused<?> refused) {
    return new UnavailableException(
        reason,
        refused.mayBeRecorded() ? Outcome.UNKNOWN : outcome,
        sentence(refused.problem()),
        null);
  }

  private static MisuseException misuse(Problem problem) {
    String parameter = problem.parameter();
    if (parameter != null) {
      return new MisuseException(null, parameter, sentence(problem, parameter));
    }
    String pointer = problem.pointer();
    if (pointer == null || pointer.isEmpty()) {
      return new MisuseException(sentence(problem));
    }
    Matcher inItem = ITEM.matcher(pointer);
    if (inItem.matches()) {
      return new MisuseException(
          Integer.valueOf(inItem.group(1)), field(inItem.group(2)), sentence(problem, pointer));
    }
    return new MisuseException(null, pointer.substring(1), sentence(problem, pointer));
  }

  private static @Nullable String field(@Nullable String path) {
    if (path == null) {
      return null;
    }
    Matcher inGroup = MEMBER.matcher(path);
    return inGroup.matches() ? "members[" + inGroup.group(1) + "]." + inGroup.group(2) : path;
  }

  /** The problem's sentence without the place, which the exception names in front of it itself. */
  private static String sentence(Problem problem, String place) {
    String prefix = place + ": ";
    String sentence = sentence(problem);
    return sentence.startsWith(prefix) ? sentence.substring(prefix.length()) : sentence;
  }

  private static String sentence(Problem problem) {
    String requestId = problem.requestId();
    return requestId == null ? problem.detail() : problem.detail() + " (request " + requestId + ")";
  }
}
