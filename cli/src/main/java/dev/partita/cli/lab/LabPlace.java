package dev.partita.cli.lab;

import dev.partita.MisuseException;
import dev.partita.cli.connect.Target;
import dev.partita.embedded.Login;
import dev.partita.lab.run.LabDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;

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
    Login login = Login.given(url, target.user(), target.password());
    try (Connection connection = login.connect()) {
      if (connection.isReadOnly()) {
        throw new MisuseException("--url", "names a database that is read-only");
      }
    }
    return LabDatabase.given(login);
  }
}
