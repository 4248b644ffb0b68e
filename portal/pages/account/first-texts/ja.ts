import type { FirstTexts } from "./en.ts";

export const ja: FirstTexts = {
  setUp: "サイトの初期設定",
  welcome: "ようこそ。ここには利用者の要望が集まり、お互いのアイデアに投票できます。",
  siteTitleHint: "すべてのページの上部に表示されます。あとから変更できます。",
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
};
