package dev.partita.lab.load;
public final class Retrying implements Worker { private final Worker w; public Retrying(Worker w, long seed){this.w=w;} public Answer perform(Operation o){return w.perform(o);} public void close(){w.close();} }
