//go:build linux

package browsers

var storageCases = []pageCase{
	{name: "89-storage-scope", lacks: "browser_state", run: func(k *kase) { k.faultf("browser_state is there now: write the case") }},
}
