package dev.partita.server.http;

/** What every response tells browsers: that nothing here is a page. Immutable. */
public final class SecurityHeaders {

  /** A year, as browsers' preload lists ask for. */
  private static final String HSTS = "max-age=31536000";

  private final boolean encrypted;

  /**
   * The headers of a server.
   *
   * @param encrypted whether it speaks HTTPS, which browsers are then told to keep to
   */
  public SecurityHeaders(boolean encrypted) {
    this.encrypted = encrypted;
  }

  /** Nobody may guess its type, keep it, run it, frame it, or tell others where it came from. */
  public Response on(Response response) {
    Response guarded =
        response
            .header("X-Content-Type-Options", "nosniff")
            .header("Cache-Control", "no-store")
            .header("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
            .header("Referrer-Policy", "no-referrer");
    return encrypted ? guarded.header("Strict-Transport-Security", HSTS) : guarded;
  }
}
