/** What a FeedbackBoard is deployed with. Each is described in docs/deploy.md, as a context value of the same name. */
export type FeedbackBoardProps = {
  /** Part of every name, so one account can have several; 1 to 16 of a-z, 0-9 and -. By default `dev`. */
  stageName?: string;
  /** Nothing is mailed, by choice. Without it and without `mailFrom` nobody can sign up. */
  mail?: "none";
  /** The sender of mails, an address or `Name <address>`, which SES has verified. */
  mailFrom?: string;
  mailLanguage?: "en" | "de" | "es" | "fr" | "pt" | "ja";
  /** Mails with news of posts a second. */
  noticesPerSecond?: number;
  /** Whether there are pages, behind CloudFront. */
  portal?: boolean;
  /** The portal's own name, with its certificate in us-east-1. */
  domain?: string;
  certificateArn?: string;
  /** The address of your own pages, in place of `portal`. */
  siteUrl?: string;
  /** The origins whose pages may call the API; all by default. */
  allowedOrigins?: string[];
  alarmEmail?: string;
  publicReads?: boolean;
  requireVerified?: boolean;
  commonPasswords?: "refuse" | "allow";
  /** The code that setup asks for, 8 characters or more. Without it the first caller of setup owns the site. */
  setupCode?: string;
  /** The SHA-256 of the code, in place of the code. */
  setupCodeSha256?: string;
  /** The table's maximum, in units a second. */
  maxReadUnits?: number;
  maxWriteUnits?: number;
  /** The calls a second that a route admits. */
  signInsPerSecond?: number;
  readsPerSecond?: number;
  writesPerSecond?: number;
  /** The containers that each function behind the API reserves. */
  reservedConcurrency?: number;
  /** In USD. */
  dailyBudget?: number;
  /** `off` widens the rights to write; only if the first deploy fails. */
  leadingKeys?: "on" | "off";
  /** A table that was restored from a backup, with its stream. */
  restoredTableArn?: string;
  restoredStreamArn?: string;
};
