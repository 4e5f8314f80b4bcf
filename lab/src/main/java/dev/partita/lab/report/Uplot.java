package dev.partita.lab.report;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The library that draws the plots, as text to be copied into a page. */
record Uplot(String version, String script, String style, String licence) {

  /** As it is on the class path. */
  static Uplot onClassPath() {
    Properties about = new Properties();
    try {
      about.load(
          new StringReader(
              Template.resource("/META-INF/maven/org.webjars.npm/uplot/pom.properties")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String version = about.getProperty("version");
    String folder = "/META-INF/resources/webjars/uplot/" + version + "/";
    return new Uplot(
        version,
        Template.resource(folder + "dist/uPlot.iife.min.js").strip(),
        Template.resource(folder + "dist/uPlot.min.css").strip(),
        Template.resource(folder + "LICENSE").strip());
  }
}
