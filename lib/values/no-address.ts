// An account whose provider names no confirmed address has none. What is stored in its place is unique, and in a domain
// that no mail reaches (RFC 2606). So are the addresses that an import makes up (infra/import/resolve.ts).
const DOMAIN = "no-address.invalid";

export function noAddressOf(userId: string): string {
  return `${userId}@${DOMAIN}`;
}

/**
 * Whether an address lies in a domain that does not exist. The outbox keeps no mail to it (lib/accounts/outbox.ts), and
 * nothing is sent to it (lib/mail/transport.ts): a mail service counts each mail that does not arrive against its
 * sender. The portal shows no such address.
 */
export function isNoAddress(email: string): boolean {
  return email.endsWith(".invalid");
}
