package dev.partita.cli.lab;

import dev.partita.MisuseException;
import dev.partita.UnavailableException;
import dev.partita.cli.connect.Target;
import dev.partita.embedded.Login;
import dev.partita.lab.run.LabDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;

/** The database that a run is to use, from the options that say where. */
public final class LabPlace {

  private LabPlace() {}

  /** Opens it; an embedded one is new, and gone when it is closed. */
  public static LabDatabase open(Target target) throws IOException, SQLException {
    String url = target.url();
    if (url == null) {
      Path beside = target.data().toAbsolutePath();
      return LabDatabase.embedded(beside.resolveSibling(beside.getFileName() + "-lab"));
    }
    if (!url.startsWith("jdbc:postgresql:")) {
      throw new MisuseException("--url", "must begin with jdbc:postgresql:");
    }
    if (target.user() == null) {
      throw new MisuseException("--user", "is needed with --url");
    }
    Login login = new Login(url, target.user(), Objects.requireNonNullElse(target.password(), ""));
    return LabDatabase.given(login);
  }
}
