// An account whose provider names no confirmed address has none. What is stored in its place is unique, and in a domain
// that no mail reaches (RFC 2606). So are the addresses that an import makes up (infra/import/resolve.ts).
const DOMAIN = "no-address.invalid";

export function noAddressOf(userId: string): string {
  return `${userId}@${DOMAIN}`;
}

/**
 * Whether no mail can reach an address, because there is no such domain: no mail waits for it (outbox.ts), and none is
 * sent to it (lib/mail/transport.ts). A mail service counts what does not arrive against its sender.
 */
export function isNoAddress(email: string): boolean {
  return email.endsWith(".invalid");
}
