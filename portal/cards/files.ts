// What lies beside the function of cards: portal/build.ts copies it there, by these names, from packages.

export const RENDERER = "resvg.wasm";

/** The fonts by their families, the widest first. */
export const FONTS = {
  "Noto Sans": { file: "sans.ttf", source: "@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf" },
  Kosugi: { file: "japanese.ttf", source: "@expo-google-fonts/kosugi/Kosugi_400Regular.ttf" },
  "Noto Sans Arabic": {
    file: "arabic.ttf",
    source: "@expo-google-fonts/noto-sans-arabic/600SemiBold/NotoSansArabic_600SemiBold.ttf",
  },
  "Noto Sans Hebrew": {
    file: "hebrew.ttf",
    source: "@expo-google-fonts/noto-sans-hebrew/600SemiBold/NotoSansHebrew_600SemiBold.ttf",
  },
  "Noto Emoji": { file: "emoji.ttf", source: "@expo-google-fonts/noto-emoji/500Medium/NotoEmoji_500Medium.ttf" },
};

export type Family = keyof typeof FONTS;

/** Where each file comes from. */
export const FILES: Record<string, string> = {
  [RENDERER]: "@resvg/resvg-wasm/index_bg.wasm",
  ...Object.fromEntries(Object.values(FONTS).map(({ file, source }) => [file, source])),
};
