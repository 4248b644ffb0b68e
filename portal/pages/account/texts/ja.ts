import type { AccountTexts } from "./en.ts";

export const ja: AccountTexts = {
  // The set-up, an invitation, a new password.
  setUp: "サイトの初期設定",
  welcome: "ようこそ。ここには利用者の要望が集まり、お互いのアイデアに投票できます。",
  titleHint: "すべてのページの上部に表示されます。あとから変更できます。",
  setupCode: "設定コード",
  setupCodeHint: "サービスの運営者から受け取ったコードです。",
  asksSetupCode: "このサイトには設定コードが必要です。",
  wrongSetupCode: "設定コードが違います。",
  next: "このあとの流れ",
  nextOwner: "オーナーとしてログインしています。",
  nextMail: "メールアドレスの確認をお願いするメールが届きます。",
  nextSteps: "最初のステップの一覧がご案内します。",
  SETUP_COMPLETED: "このサイトはすでに設定済みです。",
  invitedTo: "{title}へようこそ",
  invitedBy:
    "このサイトのオーナーから招待されました。アカウントがあれば、投稿、投票、コメントができます。パスワードを決めてください。",
  setAndEnter: "パスワードを設定してログイン",
  invitedIn: "ログインしました。必要なものに投票するか、投稿してください。",
  passwordSet: "新しいパスワードを設定しました。ログインしてください。",

  // The owner's product.
  SSO_NOT_ALLOWED: "このサイトでは製品からのログインは無効です。",
  SSO_REFUSED: "このリンクは使用済みか期限切れです。製品に戻って開き直してください。",
  SIGN_IN_TO_LINK:
    "このメールアドレスのアカウントがすでにあります。これまでの方法でログインし、プロフィールで連携してください。",
  STAFF_NOT_ALLOWED: "チームはこの方法ではログインできません。",
  continueAs: "{name}として続ける",
  productHasAccount: "このメールアドレスのアカウントはすでにあります。これまでどおりログインしてから連携してください。",
  productAsksToLink:
    "このアカウントのメールアドレスはあなたのものと同じです。連携すると、今後は製品内のリンクからログインできます。",
  linkProduct: "このアカウントを連携",

  // The second step of a sign-in.
  twoFactorHint:
    "ログインのときに、スマートフォンのアプリのコードも必要になります。パスワードだけではログインできなくなります。",
  twoFactorIsOn: "有効になっています。",
  twoFactorOn: "有効にする",
  twoFactorOff: "無効にする",
  twoFactorEnded: "2段階ログインを無効にしました。",
  twoFactorMust: "このサイトはチームに2段階ログインを求めています。今すぐ設定してください。",
  scanCode: "認証アプリでこのQRコードを読み取るか、アプリに秘密鍵を入力してください。",
  qrCode: "秘密鍵のQRコード",
  openApp: "この端末のアプリで開く",
  recoveryCodes: "リカバリーコード",
  recoveryHint:
    "スマートフォンがなくても見られる場所に、これらのコードを保管してください。それぞれ一度だけアプリの代わりに使え、表示されるのは今回だけです。",
  codesKept: "保管しました",
  copy: "コピー",
  copied: "コピーしました",
  download: "ダウンロード",
  codesLeft: "残り{n}個です。",
  renewCodes: "新しいコードを作る",
  renewHint: "新しいコードが10個作られ、今お持ちのコードは使えなくなります。",
  twoFactorOffHint: "ログインのときにコードが不要になります。",
  beginAgain: "最初からやり直す",

  // The end of an account.
  goodbye: "アカウントを削除",
  ends: "ログイン、メールアドレスと名前、APIキー、連携したログインは、すぐに完全に削除されます。同じメールアドレスで、別の人として新しいアカウントを作成できます。",
  stay: "投稿とコメントは「削除済みユーザー」の名前で残ります。消したいものは、先に「自分の投稿」から削除してください。",
  votesStay: "投票は、名前なしで数に残ります。",
  withdraw: "投票も取り消す",
  copies: "バックアップにはアカウントが35日間残ります。ログには、名前とメールアドレスのない番号が30日間残ります。",
  forGood: "アカウントを完全に削除する",
  gone: "アカウントを削除しました。これを含む最後のバックアップは{date}に削除されます。",
};
