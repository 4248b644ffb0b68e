/** The functions that run on a schedule, by the names of their modules. */
export const scheduledFunctions = ["rotate-secret"] as const;
