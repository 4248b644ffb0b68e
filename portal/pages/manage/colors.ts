/** The colour of a tag or a status until the team chooses one: a grey. */
export const FIRST_COLOR = "8b8f99";
