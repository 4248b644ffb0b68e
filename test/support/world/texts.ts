// Texts of the world, which must come back as they were sent, wherever they go: through the API, the table, urls, mails
// and messages, to pages. The people are invented.

const england = "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}";

/** A title; words by which a person would search for it; the readable part of its slug. */
export type WorldTitle = { title: string; typed: string[]; slug: string };

/** Titles in scripts of both directions, with joined and split letters, signs of surnames, flags and emoji. */
export const worldTitles: WorldTitle[] = [
  {
    title: "L'interface n’affiche pas l’été",
    typed: ["interface", "été", "ete", "l’interface"],
    slug: "l-interface-n-affiche-pas-l-été",
  },
  { title: "Straßenbahn für Köln", typed: ["strassenbahn", "STRASSENBAHN", "koln"], slug: "straßenbahn-für-köln" },
  { title: "Cafe\u0301 au lait", typed: ["café", "cafe"], slug: "café-au-lait" },
  { title: "Đà Nẵng và Huế", typed: ["nẵng", "nang"], slug: "đà-nẵng-và-huế" },
  { title: "İstanbul'da ışık", typed: ["istanbul", "ışık"], slug: "i̇stanbul-da-ışık" },
  { title: "Ещё одна тёмная тема", typed: ["еще", "темная"], slug: "ещё-одна-тёмная-тема" },
  { title: "Σκοτεινό θέμα", typed: ["ΣΚΟΤΕΙΝΟ", "θεμα"], slug: "σκοτεινό-θέμα" },
  { title: "Մուգ ռեժիմ", typed: ["ռեժիմ"], slug: "մուգ-ռեժիմ" },
  { title: "ბნელი რეჟიმი", typed: ["რეჟიმი"], slug: "ბნელი-რეჟიმი" },
  { title: "الوضع الداكن (v2.0)!", typed: ["الداكن", "الدَّاكن"], slug: "الوضع-الداكن-v2-0" },
  { title: "حالت تیره می\u200cخواهم", typed: ["تیره", "می\u200cخواهم"], slug: "حالت-تیره-می-خواهم" },
  { title: "מצב כהה לאתר", typed: ["כהה"], slug: "מצב-כהה-לאתר" },
  { title: "डार्क मोड चाहिए", typed: ["डार्क", "चाहिए"], slug: "डार्क-मोड-चाहिए" },
  { title: "இருண்ட பயன்முறை", typed: ["இருண்ட"], slug: "இருண்ட-பயன்முறை" },
  { title: "โหมดมืดสำหรับแอป", typed: ["โหมด"], slug: "โหมดมืดสําหรับแอป" },
  { title: "辻\u{e0100}さんの検索", typed: ["辻", "検索"], slug: "辻さんの検索" },
  { title: "ｶﾀｶﾅの半角", typed: ["カタカナ", "半角"], slug: "カタカナの半角" },
  { title: "支持暗黑模式", typed: ["暗黑模式"], slug: "支持暗黑模式" },
  { title: "다크 모드 지원", typed: ["다크", "지원"], slug: "다크-모드-지원" },
  { title: "ጨለማ ገጽታ", typed: ["ገጽታ"], slug: "ጨለማ-ገጽታ" },
  { title: `${england} 🇩🇪 flags 👩\u200d👩\u200d👧`, typed: ["flags"], slug: "flags" },
  { title: "❤\ufe0f for 10\u00a0€", typed: ["for 10"], slug: "for-10" },
];

/** Names of people from thirty countries, and the Latin letters of each. */
export const worldNames: [name: string, latin: string][] = [
  ["Ólafur Þór Guðmundsson", "olafurthorgudmundsson"],
  ["Siân O’Shea-Llŷr", "sianoshea-llyr"],
  ["Aoife Ní Bhriain", "aoifenibhriain"],
  ["Zoë Müller-Weiß", "zoemuller-weiss"],
  ["Françoise d'Œuvrard", "francoisedoeuvrard"],
  ["Iñaki Núñez y Gómez", "inakinunezygomez"],
  ["João Gonçalves", "joaogoncalves"],
  ["Bjørn Ærøskjold", "bjornaeroskjold"],
  ["Åsa Öberg", "asaoberg"],
  ["Łukasz Żółć", "lukaszzolc"],
  ["Jiří Dvořák", "jiridvorak"],
  ["Ľubica Šťastná", "lubicastastna"],
  ["Gyöngyi Őri", "gyongyiori"],
  ["Ștefan Țurcanu", "stefanturcanu"],
  ["Đorđe Živković", "dordezivkovic"],
  ["Jānis Bērziņš", "janisberzins"],
  ["Žydrūnė Kazlauskaitė", "zydrunekazlauskaite"],
  ["Işıl Çağlayan", "isilcaglayan"],
  ["Nguyễn Thị Hồng", "nguyenthihong"],
  ["Ġorġ Ħal Far", "gorghalfar"],
  ["Ngũgĩ wa Mũrĩithi", "ngugiwamuriithi"],
  ["Елена Соловьёва", ""],
  ["Олексій Щур", ""],
  ["Ελένη Παπαδάκη", ""],
  ["გიორგი ბერიძე", ""],
  ["Արամ Հակոբյան", ""],
  ["أحمد عبد الله", ""],
  ["رضا علی\u200cزاده", ""],
  ["יעל בן־דוד", ""],
  ["अर्जुन शर्मा", ""],
  ["辻\u{e0100} 健太", ""],
  ["李雷", ""],
  ["김민수", ""],
];
