package dev.partita.server.api;

import dev.partita.server.http.Query;

/** The parameters that every page has. */
final class Paging {

  static final String CURSOR = "cursor";
  static final String LIMIT = "limit";

  private static final int LIMIT_DEFAULT = 100;

  private Paging() {}

  static int limit(Query query) {
    return query.number(LIMIT, LIMIT_DEFAULT);
  }
}
