import type { Samples } from "../../../tools/samples.ts";

export const samples: Samples = {
  AfterAgent: "gemini-cli-0.61.0/AfterAgent.json",
  AfterModel: "gemini-cli-0.61.0/AfterModel.json",
  AfterTool: "gemini-cli-0.61.0/AfterTool-run_shell_command.json",
  BeforeAgent: "gemini-cli-0.61.0/BeforeAgent.json",
  BeforeModel: "gemini-cli-0.61.0/BeforeModel.json",
  BeforeTool: "gemini-cli-0.61.0/BeforeTool-run_shell_command.json",
  BeforeToolSelection: "gemini-cli-0.61.0/BeforeToolSelection.json",
  Notification: "gemini-cli-0.61.0/Notification.json",
  PreCompress: "gemini-cli-0.61.0/PreCompress.json",
  SessionEnd: "gemini-cli-0.61.0/SessionEnd.json",
  SessionStart: "gemini-cli-0.61.0/SessionStart.json",
};
