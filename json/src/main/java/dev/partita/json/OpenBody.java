package dev.partita.json;

import dev.partita.NewAccount;
import java.util.List;

/**
 * The body of a POST of accounts.
 *
 * @param accounts what to open
 * @param single whether the body was one account by itself, not a list
 */
public record OpenBody(List<NewAccount> accounts, boolean single) {

  /** Takes a copy. */
  public OpenBody {
    accounts = List.copyOf(accounts);
  }
}
