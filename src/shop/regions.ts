/**
 * Where the shop delivers: every country of ISO 3166-1 in exactly one region. Codes and extent: ISO 3166-1 alpha-2
 * (249 entries); names: the English ones of Unicode CLDR, shortened where everyday use is shorter; regions: the
 * continents of the UN's M49, but Western Asia is a separate region, the Middle East. Where M49 does not decide:
 * Iran belongs to the Middle East, the Caucasus to Asia, Cyprus to Europe, Antarctica (supplied from New Zealand) to
 * Oceania.
 */
export const regionNames = [
  'Europe',
  'North America',
  'South America',
  'Asia',
  'Africa',
  'Oceania',
  'Middle East',
] as const;

export type RegionName = (typeof regionNames)[number];

export interface Country {
  /** ISO 3166-1 alpha-2. */
  readonly code: string;
  readonly name: string;
}

// `code name`, ordered by name.
const countryLists: Readonly<Record<RegionName, string>> = {
  Europe: `
    AX Åland Islands, AL Albania, AD Andorra, AT Austria, BY Belarus, BE Belgium, BA Bosnia & Herzegovina,
    BG Bulgaria, HR Croatia, CY Cyprus, CZ Czechia, DK Denmark, EE Estonia, FO Faroe Islands, FI Finland,
    FR France, DE Germany, GI Gibraltar, GR Greece, GG Guernsey, HU Hungary, IS Iceland, IE Ireland,
    IM Isle of Man, IT Italy, JE Jersey, LV Latvia, LI Liechtenstein, LT Lithuania, LU Luxembourg, MT Malta,
    MD Moldova, MC Monaco, ME Montenegro, NL Netherlands, MK North Macedonia, NO Norway, PL Poland, PT Portugal,
    RO Romania, RU Russia, SM San Marino, RS Serbia, SK Slovakia, SI Slovenia, ES Spain,
    SJ Svalbard & Jan Mayen, SE Sweden, CH Switzerland, UA Ukraine, GB United Kingdom, VA Vatican City`,
  'North America': `
    AI Anguilla, AG Antigua & Barbuda, AW Aruba, BS Bahamas, BB Barbados, BZ Belize, BM Bermuda,
    VG British Virgin Islands, CA Canada, BQ Caribbean Netherlands, KY Cayman Islands, CR Costa Rica, CU Cuba,
    CW Curaçao, DM Dominica, DO Dominican Republic, SV El Salvador, GL Greenland, GD Grenada, GP Guadeloupe,
    GT Guatemala, HT Haiti, HN Honduras, JM Jamaica, MQ Martinique, MX Mexico, MS Montserrat, NI Nicaragua,
    PA Panama, PR Puerto Rico, SX Sint Maarten, BL St. Barthélemy, KN St. Kitts & Nevis, LC St. Lucia,
    MF St. Martin, PM St. Pierre & Miquelon, VC St. Vincent & Grenadines, TT Trinidad & Tobago,
    TC Turks & Caicos Islands, VI U.S. Virgin Islands, US United States`,
  'South America': `
    AR Argentina, BO Bolivia, BV Bouvet Island, BR Brazil, CL Chile, CO Colombia, EC Ecuador,
    FK Falkland Islands, GF French Guiana, GY Guyana, PY Paraguay, PE Peru,
    GS South Georgia & South Sandwich Islands, SR Suriname, UY Uruguay, VE Venezuela`,
  Asia: `
    AF Afghanistan, AM Armenia, AZ Azerbaijan, BD Bangladesh, BT Bhutan, BN Brunei, KH Cambodia, CN China,
    GE Georgia, HK Hong Kong, IN India, ID Indonesia, JP Japan, KZ Kazakhstan, KG Kyrgyzstan, LA Laos, MO Macao,
    MY Malaysia, MV Maldives, MN Mongolia, MM Myanmar, NP Nepal, KP North Korea, PK Pakistan, PH Philippines,
    SG Singapore, KR South Korea, LK Sri Lanka, TW Taiwan, TJ Tajikistan, TH Thailand, TL Timor-Leste,
    TM Turkmenistan, UZ Uzbekistan, VN Vietnam`,
  Africa: `
    DZ Algeria, AO Angola, BJ Benin, BW Botswana, IO British Indian Ocean Territory, BF Burkina Faso,
    BI Burundi, CM Cameroon, CV Cape Verde, CF Central African Republic, TD Chad, KM Comoros,
    CD Congo (Democratic Republic), CG Congo (Republic), CI Côte d’Ivoire, DJ Djibouti, EG Egypt,
    GQ Equatorial Guinea, ER Eritrea, SZ Eswatini, ET Ethiopia, TF French Southern Territories, GA Gabon,
    GM Gambia, GH Ghana, GN Guinea, GW Guinea-Bissau, KE Kenya, LS Lesotho, LR Liberia, LY Libya, MG Madagascar,
    MW Malawi, ML Mali, MR Mauritania, MU Mauritius, YT Mayotte, MA Morocco, MZ Mozambique, NA Namibia,
    NE Niger, NG Nigeria, RE Réunion, RW Rwanda, ST São Tomé & Príncipe, SN Senegal, SC Seychelles,
    SL Sierra Leone, SO Somalia, ZA South Africa, SS South Sudan, SH St. Helena, SD Sudan, TZ Tanzania, TG Togo,
    TN Tunisia, UG Uganda, EH Western Sahara, ZM Zambia, ZW Zimbabwe`,
  Oceania: `
    AS American Samoa, AQ Antarctica, AU Australia, CX Christmas Island, CC Cocos (Keeling) Islands,
    CK Cook Islands, FJ Fiji, PF French Polynesia, GU Guam, HM Heard & McDonald Islands, KI Kiribati,
    MH Marshall Islands, FM Micronesia, NR Nauru, NC New Caledonia, NZ New Zealand, NU Niue, NF Norfolk Island,
    MP Northern Mariana Islands, PW Palau, PG Papua New Guinea, PN Pitcairn Islands, WS Samoa,
    SB Solomon Islands, TK Tokelau, TO Tonga, TV Tuvalu, UM U.S. Outlying Islands, VU Vanuatu,
    WF Wallis & Futuna`,
  'Middle East': `
    BH Bahrain, IR Iran, IQ Iraq, IL Israel, JO Jordan, KW Kuwait, LB Lebanon, OM Oman, PS Palestine, QA Qatar,
    SA Saudi Arabia, SY Syria, TR Türkiye, AE United Arab Emirates, YE Yemen`,
};

const parse = (list: string): readonly Country[] =>
  list
    .trim()
    .split(/,\s+/)
    .map((entry) => ({ code: entry.slice(0, 2), name: entry.slice(3) }));

const countries: Readonly<Record<RegionName, readonly Country[]>> = {
  Europe: parse(countryLists.Europe),
  'North America': parse(countryLists['North America']),
  'South America': parse(countryLists['South America']),
  Asia: parse(countryLists.Asia),
  Africa: parse(countryLists.Africa),
  Oceania: parse(countryLists.Oceania),
  'Middle East': parse(countryLists['Middle East']),
};

const byCode: ReadonlyMap<string, { readonly region: RegionName; readonly name: string }> = new Map(
  regionNames.flatMap((region) => countries[region].map(({ code, name }) => [code, { region, name }] as const)),
);

/** Countries of a region, ordered by English name. */
export function listCountries(region: RegionName): readonly Country[] {
  return countries[region];
}

/** Region of an upper-case ISO 3166-1 alpha-2 code; undefined if unknown. */
export function findRegion(code: string): RegionName | undefined {
  return byCode.get(code)?.region;
}

/** English name of an upper-case ISO 3166-1 alpha-2 code; undefined if unknown. */
export function findCountryName(code: string): string | undefined {
  return byCode.get(code)?.name;
}
