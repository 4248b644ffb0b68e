// What only the team sees of a post: a file that only the team loads.
export { AllVoters } from "./all-voters.tsx";
export { Moderation } from "./moderation.tsx";
