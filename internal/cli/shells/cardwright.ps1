Register-ArgumentCompleter -Native -CommandName cardwright -ScriptBlock {
  param($word, $ast, $position)
  $before = @($ast.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $position })
  cardwright __complete @($before | ForEach-Object { $_.ToString() }) "=$word" 2>$null | Select-Object -Skip 1 |
    ForEach-Object {
      $value, $about = $_ -split "`t", 2
      if (-not $about) { $about = $value }
      [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $about)
    }
}
