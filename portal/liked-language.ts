/** The language that a header Accept-Language (RFC 9110, 12.5.4) likes best; undefined if it accepts none of ours. */
export function likedLanguage<L extends string>(accepted: string, ours: readonly L[]): L | undefined {
  const ranges = accepted.split(",").map((range) => {
    const [tag = ""] = range
      .trim()
      .toLowerCase()
      .split(/[-;\s]/);
    const weight = Number(/;\s*q=([01](\.\d*)?)/i.exec(range)?.[1] ?? 1);
    return { tag, weight };
  });
  const likes = (language: L): { weight: number; place: number } => {
    const named = ranges.findIndex(({ tag }) => tag === language);
    // A star stands for every language that the header does not name.
    const place = named >= 0 ? named : ranges.findIndex(({ tag }) => tag === "*");
    return { weight: ranges[place]?.weight ?? 0, place };
  };
  const liked = ours.map((language) => ({ language, ...likes(language) })).filter(({ weight }) => weight > 0);
  return liked.sort((a, b) => b.weight - a.weight || a.place - b.place)[0]?.language;
}
