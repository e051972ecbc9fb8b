import sys
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
import tempfile, pathlib
page=pathlib.Path(sys.argv[1]).resolve().as_uri(); out=sys.argv[2]
for width in (1280,390):
  for dark in (False,True):
    o=webdriver.ChromeOptions(); o.binary_location='/usr/bin/chromium'
    for f in ('--headless','--no-sandbox','--disable-gpu','--disable-background-networking','--disable-sync','--no-first-run',f'--user-data-dir={tempfile.mkdtemp()}','--hide-scrollbars'): o.add_argument(f)
    o.set_capability('goog:loggingPrefs',{'browser':'ALL'})
    d=webdriver.Chrome(options=o,service=Service('/usr/bin/chromedriver'))
    d.execute_cdp_cmd('Emulation.setDeviceMetricsOverride',{'width':width,'height':900,'deviceScaleFactor':1,'mobile':width<500})
    if dark: d.execute_cdp_cmd('Emulation.setEmulatedMedia',{'features':[{'name':'prefers-color-scheme','value':'dark'}]})
    d.get(page)
    h=d.execute_script('return document.documentElement.scrollHeight')
    print(width,dark,h,d.execute_script('return [document.documentElement.scrollWidth, document.querySelectorAll("figure svg").length]'),d.get_log('browser'))
    d.execute_cdp_cmd('Emulation.setDeviceMetricsOverride',{'width':width,'height':900,'deviceScaleFactor':1,'mobile':width<500})
    import base64
    step=2400
    if dark: h=2400
    for i,y in enumerate(range(0,h,step)):
        r=d.execute_cdp_cmd('Page.captureScreenshot',{'captureBeyondViewport':True,'clip':{'x':0,'y':y,'width':width,'height':min(step,h-y),'scale':1}})
        open(f'{out}-{width}-{"dark" if dark else "light"}-{i}.png','wb').write(base64.b64decode(r['data']))
    d.quit()
