/** The functions that run on a schedule, by the names of their modules. */
export const scheduledFunctions = ["migrate", "rotate-secret", "deliver"] as const;
