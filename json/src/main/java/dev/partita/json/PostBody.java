package dev.partita.json;

import dev.partita.PostRequest;
import java.util.Objects;

/**
 * The body of a POST of transfers.
 *
 * @param request what to post
 * @param single whether the body was one transfer by itself, not a list of items
 */
public record PostBody(PostRequest request, boolean single) {

  /** Checks presence. */
  public PostBody {
    Objects.requireNonNull(request, "request");
  }
}
