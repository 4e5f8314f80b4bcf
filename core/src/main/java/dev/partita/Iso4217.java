package dev.partita;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Minor units of the active currencies of ISO 4217 (list one, as of 2025). Fixed in the code: the
 * JDK's own table moves with its releases, and the scale of an asset must not.
 */
final class Iso4217 {

  private static final String SCALE_0 =
      "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF";
  private static final String SCALE_2 =
      "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD "
          + "CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP "
          + "GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT "
          + "LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD "
          + "NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD "
          + "SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU "
          + "UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG";
  private static final String SCALE_3 = "BHD IQD JOD KWD LYD OMR TND";
  private static final String SCALE_4 = "CLF UYW";

  private static final Map<String, Integer> SCALES = new TreeMap<>();

  static {
    put(0, SCALE_0);
    put(2, SCALE_2);
    put(3, SCALE_3);
    put(4, SCALE_4);
  }

  private Iso4217() {}

  static @Nullable Integer scale(String code) {
    return SCALES.get(code);
  }

  private static void put(int scale, String codes) {
    for (String code : codes.split(" ", -1)) {
      SCALES.put(code, scale);
    }
  }
}
